package io.github.lancecalcite.io;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A folder of the local file system.
 *
 * <p>Names are resolved by their text alone: a name that climbs out of the root with {@code ..} or
 * is absolute is refused before the file system is asked. Symbolic links that a user put into the
 * folder are followed, as every other reader does.
 */
public final class LocalStorage implements Storage {
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):/.*");

  private final Path root;

  private LocalStorage(Path root) {
    this.root = root;
  }

  /** The storage rooted at a folder, which need not exist yet. */
  public static LocalStorage of(Path root) {
    return new LocalStorage(root.toAbsolutePath().normalize());
  }

  /**
   * The storage rooted at a path or {@code file:} URI.
   *
   * @throws UnsupportedFormatException for a URI of another scheme
   */
  public static LocalStorage of(String pathOrUri) throws IOException {
    return of(path(pathOrUri));
  }

  /** Whether the text is an absolute path or a URI, that is, means the same from everywhere. */
  public static boolean isAbsolute(String pathOrUri) throws IOException {
    return path(pathOrUri).isAbsolute();
  }

  private static Path path(String pathOrUri) throws IOException {
    Matcher scheme = SCHEME.matcher(pathOrUri);
    try {
      if (!scheme.matches()) {
        return Path.of(pathOrUri);
      }
      if (!"file".equalsIgnoreCase(scheme.group(1))) {
        throw new UnsupportedFormatException(
            pathOrUri, "storage", scheme.group(1), "local paths and file: URIs");
      }
      return fileUri(pathOrUri);
    } catch (InvalidPathException e) {
      throw new CorruptFileException(pathOrUri, -1, "path", "a path", e.getReason(), e);
    }
  }

  private static Path fileUri(String uri) {
    String rest = uri.substring("file:".length());
    if (rest.startsWith("//")) {
      int slash = rest.indexOf('/', 2);
      String authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
      if (authority.isEmpty() || authority.equalsIgnoreCase("localhost")) {
        rest = slash < 0 ? "/" : rest.substring(slash);
      }
    }
    try {
      return Path.of(URI.create("file:" + rest));
    } catch (IllegalArgumentException e) {
      // some writers put the plain path behind the scheme without escaping it
      return Path.of(rest);
    }
  }

  /** The folder. */
  public Path root() {
    return root;
  }

  @Override
  public String path() {
    return root.toString();
  }

  @Override
  public PositionalReader open(String name) throws IOException {
    return LocalFile.open(locate(name));
  }

  @Override
  public List<String> list(String folder) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(locate(folder))) {
      for (Path entry : entries) {
        Path name = entry.getFileName();
        if (name != null) {
          names.add(name.toString());
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  @Override
  public boolean exists(String name) throws IOException {
    return Files.exists(locate(name));
  }

  @Override
  public Storage resolve(String pathOrUri) throws IOException {
    return of(root.resolve(path(pathOrUri)));
  }

  private Path locate(String name) throws CorruptFileException {
    Path path;
    try {
      path = root.resolve(name).normalize();
    } catch (InvalidPathException e) {
      throw new CorruptFileException(path(), -1, "file name", "a valid name", e.getReason(), e);
    }
    if (!path.startsWith(root) || Path.of(name).isAbsolute()) {
      throw new CorruptFileException(path(), -1, "file name", "a name below this folder", name);
    }
    return path;
  }
}
