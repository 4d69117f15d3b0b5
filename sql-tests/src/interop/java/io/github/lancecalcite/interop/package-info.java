/** Tests and programs that need lance-core: the real writer as an oracle, and the sample writer. */
@NullMarked
package io.github.lancecalcite.interop;

import org.jspecify.annotations.NullMarked;
