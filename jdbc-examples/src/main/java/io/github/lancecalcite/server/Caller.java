package io.github.lancecalcite.server;

/** The user on whose behalf the current thread works. */
final class Caller {
  /** Name of whoever comes without one. */
  static final String ANYBODY = "";

  private static final ThreadLocal<String> CURRENT = ThreadLocal.withInitial(() -> ANYBODY);

  private Caller() {}

  static String current() {
    return CURRENT.get();
  }

  static void enter(String user) {
    CURRENT.set(user);
  }

  static void leave() {
    CURRENT.remove();
  }
}
