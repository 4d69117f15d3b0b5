package io.github.lancecalcite.sqltests;

import java.nio.file.Path;

/** Where the tests find files of the repository. */
final class Checkout {
  private Checkout() {}

  /** The root of the checkout, which the build hands over; in an IDE the parent of the module. */
  static Path root() {
    String given = System.getProperty("repo.root", "");
    return (given.isEmpty() ? Path.of("..") : Path.of(given)).toAbsolutePath().normalize();
  }
}
