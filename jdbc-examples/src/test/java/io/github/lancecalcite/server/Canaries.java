package io.github.lancecalcite.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which of the classes that must not be loaded was loaded all the same. */
final class Canaries {
  private static final Set<String> SANG = ConcurrentHashMap.newKeySet();

  private Canaries() {}

  static void sing(String name) {
    SANG.add(name);
  }

  static boolean sang(String name) {
    return SANG.contains(name);
  }
}
