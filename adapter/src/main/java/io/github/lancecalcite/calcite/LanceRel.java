package io.github.lancecalcite.calcite;

import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.rel.RelNode;

/**
 * A node of our own calling convention. Logical nodes become {@link LanceProject}, {@link
 * LanceLimit} and so on one by one; rules inside the convention fold these into {@link LanceScan}.
 * Only what a scan has absorbed can run, so the nodes on the way cost infinitely much.
 */
interface LanceRel extends RelNode {
  /** The convention: rows that a Lance scan produces. */
  Convention CONVENTION = new Convention.Impl("LANCE", LanceRel.class);

  /**
   * What runs. Typed in Calcite's own classes, because generated code names the type and is
   * compiled against Calcite's class loader.
   *
   * @throws UnsupportedOperationException on a node that is not folded yet
   */
  default Function1<DataContext, Enumerable<Object>> source() {
    throw new UnsupportedOperationException("not folded into a scan: " + getRelTypeName());
  }
}
