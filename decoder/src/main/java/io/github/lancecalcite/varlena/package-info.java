/** Batched union of variable-length values over Arrow vectors. */
@NullMarked
package io.github.lancecalcite.varlena;

import org.jspecify.annotations.NullMarked;
