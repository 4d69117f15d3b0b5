package io.github.lancecalcite.server;

/** Sings when it is initialised. */
public final class CanaryForServer {
  static {
    Canaries.sing("server");
  }

  /** For whoever makes one through reflection. */
  public CanaryForServer() {}
}
