/** The Avatica server over Lance datasets: who may use it, what it serves, and its limits. */
@NullMarked
package io.github.lancecalcite.server;

import org.jspecify.annotations.NullMarked;
