/** Positional reads of files. The only room that opens files. */
@NullMarked
package io.github.lancecalcite.io;

import org.jspecify.annotations.NullMarked;
