/** Row-ID sequences and version runs, and the cursors that walk them. */
@NullMarked
package io.github.lancecalcite.rowid;

import org.jspecify.annotations.NullMarked;
