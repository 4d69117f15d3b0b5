/**
 * Apache Calcite adapter: a folder of Lance datasets as a schema, and the {@code jdbc:lance:}
 * driver. The only room that knows Calcite.
 */
@NullMarked
package io.github.lancecalcite.calcite;

import org.jspecify.annotations.NullMarked;
