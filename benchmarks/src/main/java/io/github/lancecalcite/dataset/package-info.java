/** Benchmarks of what only the dataset room can reach. */
@NullMarked
package io.github.lancecalcite.dataset;

import org.jspecify.annotations.NullMarked;
