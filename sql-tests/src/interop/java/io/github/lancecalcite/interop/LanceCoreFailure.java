package io.github.lancecalcite.interop;

/** Something that lance-core was asked to do and could not; its process may have died of it. */
final class LanceCoreFailure extends Exception {
  private static final long serialVersionUID = 1;

  LanceCoreFailure(String message) {
    super(message);
  }
}
