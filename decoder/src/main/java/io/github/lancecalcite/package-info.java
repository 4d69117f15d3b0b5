/** The vocabulary of the decoder: errors and ranges that every room speaks. Imports no sibling. */
@NullMarked
package io.github.lancecalcite;

import org.jspecify.annotations.NullMarked;
