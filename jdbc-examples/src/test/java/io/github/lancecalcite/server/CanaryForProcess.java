package io.github.lancecalcite.server;

/** Sings when it is initialised. */
public final class CanaryForProcess {
  static {
    Canaries.sing("process");
  }

  /** For whoever makes one through reflection. */
  public CanaryForProcess() {}
}
