/** Immutable records of the Lance table and file metadata. The only room with protobuf. */
@NullMarked
package io.github.lancecalcite.format;

import org.jspecify.annotations.NullMarked;
