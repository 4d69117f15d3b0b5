/** Byte formats of pages: bytes in, primitives out. Knows neither Arrow nor protobuf. */
@NullMarked
package io.github.lancecalcite.encoding;

import org.jspecify.annotations.NullMarked;
