package io.github.lancecalcite.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * A file that appears under its name whole or not at all: written beside it under another name,
 * forced to disk, then renamed. Closing it before {@link #commit} leaves nothing. One thread.
 */
public final class AtomicFile implements Closeable {
  private final Path target;
  private final Path temporary;
  private final FileChannel channel;
  private boolean committed;

  private AtomicFile(Path target, Path temporary, FileChannel channel) {
    this.target = target;
    this.temporary = temporary;
    this.channel = channel;
  }

  /** Starts a file; its folder must exist. An older file of that name stays until the commit. */
  public static AtomicFile create(Path target) throws IOException {
    Path absolute = target.toAbsolutePath();
    Path temporary =
        absolute.resolveSibling("." + absolute.getFileName() + "." + UUID.randomUUID() + ".tmp");
    FileChannel channel =
        FileChannel.open(temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    return new AtomicFile(absolute, temporary, channel);
  }

  /** Appends bytes. */
  public void write(byte[] bytes, int offset, int length) throws IOException {
    write(ByteBuffer.wrap(bytes, offset, length));
  }

  /** Appends what remains of the buffer. */
  void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Forces the bytes to disk and gives the file its name. */
  public void commit() throws IOException {
    channel.force(true);
    channel.close();
    Files.move(
        temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    committed = true;
    forceFolder(folderOf(target));
  }

  /** Makes the names in a folder durable where the file system knows how (not on Windows). */
  public static void forceFolder(Path folder) {
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    } catch (IOException e) {
      // a folder cannot be opened or forced here; the rename itself was atomic all the same
    }
  }

  /**
   * Moves a finished folder to its final name.
   *
   * @throws FileAlreadyExistsException if the name is taken
   */
  public static void moveFolder(Path from, Path to) throws IOException {
    if (Files.exists(to)) {
      throw new FileAlreadyExistsException(to.toString());
    }
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    forceFolder(folderOf(to.toAbsolutePath()));
  }

  private static Path folderOf(Path absolute) {
    Path parent = absolute.getParent();
    return parent == null ? absolute : parent;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    if (!committed) {
      Files.deleteIfExists(temporary);
    }
  }
}
