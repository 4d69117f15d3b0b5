/** The front door: datasets, scans and batches of Arrow vectors. */
@NullMarked
package io.github.lancecalcite.dataset;

import org.jspecify.annotations.NullMarked;
