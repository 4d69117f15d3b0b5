package io.github.lancecalcite.io;

import java.io.IOException;
import java.util.List;

/**
 * A tree of files below one root: a dataset's folder. Names are relative to the root and use '/'.
 * Holds no open file itself; safe for concurrent use.
 */
public interface Storage {
  /** The root's name for error messages. */
  String path();

  /**
   * Opens a file.
   *
   * @throws io.github.lancecalcite.NotFoundException if there is no such file
   */
  PositionalReader open(String name) throws IOException;

  /** Names (not paths) of the entries of a folder, in no order; empty when there is no folder. */
  List<String> list(String folder) throws IOException;

  /** Whether a file or folder of this name exists. */
  boolean exists(String name) throws IOException;

  /**
   * The storage rooted at another folder: relative to this root, an absolute path, or a file URI.
   */
  Storage resolve(String pathOrUri) throws IOException;
}
