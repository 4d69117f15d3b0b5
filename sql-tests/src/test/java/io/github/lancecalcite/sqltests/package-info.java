/** Comparisons of whole datasets with what lance-core read from them, and golden SQL. */
@NullMarked
package io.github.lancecalcite.sqltests;

import org.jspecify.annotations.NullMarked;
