/** One main per way to reach Lance datasets through JDBC: in-process, and through a server. */
@NullMarked
package io.github.lancecalcite.examples;

import org.jspecify.annotations.NullMarked;
