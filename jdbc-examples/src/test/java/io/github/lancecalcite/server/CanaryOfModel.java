package io.github.lancecalcite.server;

/** Sings when it is initialised. */
public final class CanaryOfModel {
  static {
    Canaries.sing("model");
  }

  /** For whoever makes one through reflection. */
  public CanaryOfModel() {}
}
