package io.github.lancecalcite.server;

/** Sings when it is initialised. */
public final class CanaryOfLocalModel {
  static {
    Canaries.sing("local model");
  }

  /** For whoever makes one through reflection. */
  public CanaryOfLocalModel() {}
}
