package io.github.lancecalcite.benchmarks;

import io.github.lancecalcite.io.ChecksummedFile;
import io.github.lancecalcite.io.ChecksummedLayout;
import io.github.lancecalcite.io.ChecksummedWriter;
import io.github.lancecalcite.io.LocalFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** 24 MiB of content in checksummed blocks, page cache warm. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls prepare first
public class ChecksumBenchmark {
  static final int BYTES = 24 << 20;
  private static final ChecksummedLayout LAYOUT = ChecksummedLayout.DEFAULT;
  private static final int WINDOWS = 64;

  private Path path;
  private LocalFile raw;
  private ChecksummedFile file;
  private final byte[] destination = new byte[BYTES];
  private final ByteBuffer block = direct(LAYOUT.blockBytes());
  private final ByteBuffer chunk = direct(ChecksummedLayout.READ_BYTES);
  private final ByteBuffer heapChunk =
      ByteBuffer.allocate(ChecksummedLayout.READ_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final int[] windows = new int[2 * WINDOWS];

  private static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Setup
  public void prepare() throws IOException {
    Random random = new Random(1);
    byte[] content = new byte[BYTES];
    random.nextBytes(content);
    path = Files.createTempFile("blocks", ".bin");
    try (ChecksummedWriter writer = ChecksummedWriter.create(path, LAYOUT)) {
      writer.write(content, 0, BYTES);
      writer.commit();
    }
    raw = LocalFile.open(path);
    file = ChecksummedFile.of(LocalFile.open(path), LAYOUT);
    for (int i = 0; i < WINDOWS; i++) {
      windows[2 * i] = random.nextInt(BYTES - (1 << 20));
      windows[2 * i + 1] = 1 + random.nextInt(1 << 20);
    }
  }

  @TearDown
  public void close() throws IOException {
    file.close();
    raw.close();
    Files.delete(path);
  }

  long windowBytes() {
    long bytes = 0;
    for (int i = 0; i < WINDOWS; i++) {
      bytes += windows[2 * i + 1];
    }
    return bytes;
  }

  private long sample(int n) {
    return destination[0] + 3L * destination[n / 2] + 7L * destination[n - 1];
  }

  /** Ours: 193 underlying reads. */
  @Benchmark
  public long coalesced() throws IOException {
    file.read(0, destination, 0, BYTES);
    return sample(BYTES);
  }

  /** The earlier loop: one underlying read, one checksum, one copy per block. */
  @Benchmark
  public long perBlock() throws IOException {
    perBlock(0, BYTES);
    return sample(BYTES);
  }

  private void perBlock(int offset, int length) throws IOException {
    CRC32C crc = new CRC32C();
    int done = 0;
    while (done < length) {
      long number = LAYOUT.block(offset + done);
      int in = LAYOUT.inBlock(offset + done);
      block.clear();
      int n = raw.readSome(LAYOUT.blockStart(number), block);
      check(crc, block, 0, n);
      int take = Math.min(n - 4 - in, length - done);
      block.clear().position(4 + in);
      block.get(destination, done, take);
      done += take;
    }
  }

  private static void check(CRC32C crc, ByteBuffer bytes, int from, int n) throws IOException {
    crc.reset();
    bytes.clear().limit(from + n).position(from + 4);
    crc.update(bytes);
    bytes.clear();
    if ((int) crc.getValue() != bytes.getInt(from)) {
      throw new IOException("checksum");
    }
  }

  /** What cannot be saved: the reads in pieces of 128 KiB, CRCs over all of it, one copy. */
  @Benchmark
  public long rawReadCrcCopy() throws IOException {
    CRC32C crc = new CRC32C();
    int done = 0;
    for (long at = 0; at < raw.size(); ) {
      chunk.clear();
      int n = raw.readSome(at, chunk);
      crc.reset();
      chunk.flip();
      crc.update(chunk);
      int take = Math.min(n, BYTES - done);
      chunk.clear();
      chunk.get(destination, done, take);
      done += take;
      at += n;
    }
    // the same sample as the others, so that results can be compared: the content is not
    file.read(0, destination, 0, 1);
    file.read(BYTES / 2, destination, BYTES / 2, 1);
    file.read(BYTES - 1, destination, BYTES - 1, 1);
    return crc.getValue() == -1 ? 0 : sample(BYTES);
  }

  /** Ours with a heap buffer in place of the direct one: why the pool holds direct buffers. */
  @Benchmark
  public long coalescedThroughHeap() throws IOException {
    CRC32C crc = new CRC32C();
    int done = 0;
    for (long at = 0; at < raw.size(); ) {
      heapChunk.clear();
      int n = raw.readSome(at, heapChunk);
      for (int b = 0; b < n; b += LAYOUT.blockBytes()) {
        int bytes = Math.min(LAYOUT.blockBytes(), n - b);
        check(crc, heapChunk, b, bytes);
        heapChunk.clear().position(b + 4);
        heapChunk.get(destination, done, bytes - 4);
        done += bytes - 4;
      }
      at += n;
    }
    return sample(BYTES);
  }

  /** 64 random windows of up to 1 MiB. */
  @Benchmark
  public long windowsCoalesced() throws IOException {
    long sum = 0;
    for (int i = 0; i < WINDOWS; i++) {
      file.read(windows[2 * i], destination, 0, windows[2 * i + 1]);
      sum += sample(windows[2 * i + 1]);
    }
    return sum;
  }

  /** The same, block by block. */
  @Benchmark
  public long windowsPerBlock() throws IOException {
    long sum = 0;
    for (int i = 0; i < WINDOWS; i++) {
      perBlock(windows[2 * i], windows[2 * i + 1]);
      sum += sample(windows[2 * i + 1]);
    }
    return sum;
  }
}
