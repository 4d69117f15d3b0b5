/**
 * Earlier and present algorithms side by side, checked against each other before they are timed.
 */
@NullMarked
package io.github.lancecalcite.benchmarks;

import org.jspecify.annotations.NullMarked;
