package io.github.lancecalcite.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the reads of another reader, and can make each of them short. */
final class CountingReader implements PositionalReader {
  final AtomicInteger reads = new AtomicInteger();
  final AtomicLong bytes = new AtomicLong();
  private final PositionalReader source;
  private final int most;
  boolean closed;

  CountingReader(PositionalReader source, int most) {
    this.source = source;
    this.most = most;
  }

  CountingReader(PositionalReader source) {
    this(source, Integer.MAX_VALUE);
  }

  @Override
  public String path() {
    return source.path();
  }

  @Override
  public long size() {
    return source.size();
  }

  @Override
  public void read(long offset, byte[] destination, int destinationOffset, int length)
      throws IOException {
    reads.incrementAndGet();
    source.read(offset, destination, destinationOffset, length);
  }

  @Override
  public byte[] read(long offset, int length) throws IOException {
    reads.incrementAndGet();
    return source.read(offset, length);
  }

  @Override
  public int readSome(long offset, ByteBuffer destination) throws IOException {
    reads.incrementAndGet();
    int limit = destination.limit();
    destination.limit(destination.position() + Math.min(most, destination.remaining()));
    int count = source.readSome(offset, destination);
    destination.limit(limit);
    bytes.addAndGet(Math.max(0, count));
    return count;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    source.close();
  }
}
