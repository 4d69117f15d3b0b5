package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.DeletionFile;
import io.github.lancecalcite.io.BytesReader;
import io.github.lancecalcite.io.PositionalReader;
import io.github.lancecalcite.io.Storage;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.roaringbitmap.RoaringBitmap;

class DeletionVectorTest {
  private final RootAllocator allocator = new RootAllocator();

  @AfterEach
  void noMemoryIsLeft() {
    allocator.close();
  }

  static Stream<String> deleting() {
    return Fixtures.names().stream()
        .filter(name -> name.matches("(delfew|delmany|delfrag|seg_|manyupd|customids).*"));
  }

  /** The rows that lance-core returned are exactly those that are not deleted. */
  @ParameterizedTest
  @MethodSource("deleting")
  void liveRowsAreThoseThatLanceReturns(String name) throws IOException {
    BitSet[] live = new BitSet[64];
    for (JsonNode row : Fixtures.rows(name)) {
      long address = row.path("_rowaddr").longValue();
      int fragment = (int) (address >>> 32);
      if (live[fragment] == null) {
        live[fragment] = new BitSet();
      }
      live[fragment].set((int) address);
    }
    try (Dataset dataset = Dataset.open(Fixtures.dataset(name), allocator)) {
      for (DataFragment fragment : dataset.manifest().fragments()) {
        DeletionVector deleted = dataset.files().deletions(fragment, fragment.physicalRows());
        BitSet expected = live[(int) fragment.id()];
        assertThat(deleted.cardinality())
            .isEqualTo((int) fragment.physicalRows() - expected.cardinality());
        for (int row = 0; row < fragment.physicalRows(); row++) {
          if (deleted.isDeleted(row) == expected.get(row)) {
            throw new AssertionError("row " + row + " is live: " + expected.get(row));
          }
        }
      }
    }
  }

  @Test
  void roaringFileOfEveryContainerKindMatchesTheRowIds() throws IOException {
    BitSet live = new BitSet();
    int id = -1;
    for (String delta : Fixtures.lines("delroaring_21", "expected.rowid-deltas.txt")) {
      id += Integer.parseInt(delta.trim());
      live.set(id);
    }
    try (Dataset dataset = Dataset.open(Fixtures.dataset("delroaring_21"), allocator)) {
      DataFragment fragment = dataset.manifest().fragments().get(0);
      DeletionVector deleted = dataset.files().deletions(fragment, 210_000);
      live.flip(0, 210_000);
      assertThat(BitSet.valueOf(deleted.words())).isEqualTo(live);
      assertThat(deleted.cardinality()).isEqualTo(98_481);
    }
  }

  @Test
  void noDeletionFileMeansNoDeletedRow() {
    DeletionVector none = DeletionVector.none(3);
    assertThat(none.cardinality()).isZero();
    assertThat(none.words()).isEmpty();
    assertThat(none.isDeleted(2)).isFalse();
    assertThatThrownBy(() -> none.isDeleted(3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> none.isDeleted(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void runContainersAreRead() throws IOException {
    RoaringBitmap bitmap = new RoaringBitmap();
    bitmap.add(10L, 70_000L);
    bitmap.add(70_002);
    assertThat(bitmap.runOptimize()).isTrue();
    DeletionVector deleted = read(serialize(bitmap), DeletionFile.Kind.ROARING_BITMAP, 0, 70_003);
    assertThat(deleted.cardinality()).isEqualTo(69_991);
    assertThat(deleted.isDeleted(9)).isFalse();
    assertThat(deleted.isDeleted(10)).isTrue();
    assertThat(deleted.isDeleted(69_999)).isTrue();
    assertThat(deleted.isDeleted(70_000)).isFalse();
    assertThat(deleted.isDeleted(70_002)).isTrue();
  }

  @Test
  void uncompressedArrowFilesInAnyOrderAndSeveralBatchesAreRead() throws IOException {
    byte[] file = arrow(new int[][] {{7, 3, 64}, {}, {5}});
    DeletionVector deleted = read(file, DeletionFile.Kind.ARROW_ARRAY, 4, 65);
    assertThat(BitSet.valueOf(deleted.words()).stream().toArray()).containsExactly(3, 5, 7, 64);
    assertThat(deleted.words()).hasSize(2);
  }

  @Test
  void countMustBeTheManifestsWhereItHasOne() throws IOException {
    byte[] file = arrow(new int[][] {{1, 2}});
    assertThat(read(file, DeletionFile.Kind.ARROW_ARRAY, 0, 10).cardinality()).isEqualTo(2);
    assertThatThrownBy(() -> read(file, DeletionFile.Kind.ARROW_ARRAY, 3, 10))
        .isInstanceOf(CorruptFileException.class)
        .hasMessage(
            "corrupt file /dataset/_deletions/0-0-0.arrow: deleted rows: expected 3 (manifest), found 2");
  }

  @Test
  void offsetsBeyondTheFragmentAreCorrupt() throws IOException {
    assertThatThrownBy(
            () -> read(arrow(new int[][] {{1, 10}}), DeletionFile.Kind.ARROW_ARRAY, 2, 10))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("row offset: expected below 10, found 10");
    assertThatThrownBy(() -> read(arrow(new int[][] {{-1}}), DeletionFile.Kind.ARROW_ARRAY, 1, 10))
        .hasMessageContaining("row offset: expected below 10, found 4294967295");
    assertThatThrownBy(
            () ->
                read(
                    serialize(RoaringBitmap.bitmapOf(3, 10)),
                    DeletionFile.Kind.ROARING_BITMAP,
                    2,
                    10))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("Roaring bitmap value: expected below 10, found 10");
  }

  @Test
  void repeatedOffsetsAreCorrupt() {
    assertThatThrownBy(
            () -> read(arrow(new int[][] {{4, 1}, {4}}), DeletionFile.Kind.ARROW_ARRAY, 3, 10))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("row offsets: expected each once, found 4 twice");
  }

  @Test
  void hugeFragmentIsRefusedBeforeItsBitmapIsAllocated() throws IOException {
    byte[] file = arrow(new int[][] {{1}});
    assertThatThrownBy(() -> read(file, DeletionFile.Kind.ARROW_ARRAY, 1, 1L << 32))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("fragment size");
  }

  /** Cut anywhere, or with any bit flipped: the two named errors or a vector of the right count. */
  @ParameterizedTest
  @MethodSource("damaged")
  void damageIsSeenOrHarmless(Damaged file) throws IOException {
    byte[] whole = file.bytes;
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> read(cut, file.kind, file.count, file.rows))
          .as("cut to %s bytes", length)
          .isInstanceOf(CorruptFileException.class);
    }
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        DeletionVector deleted = read(flipped, file.kind, file.count, file.rows);
        assertThat(BitSet.valueOf(deleted.words()).cardinality())
            .as("bit %s", bit)
            .isEqualTo(file.count);
      } catch (CorruptFileException | UnsupportedFormatException e) {
        assertThat(e).hasMessageContaining("_deletions/0-0-0.");
      }
    }
  }

  record Damaged(String name, DeletionFile.Kind kind, byte[] bytes, int count, long rows) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Damaged> damaged() throws IOException {
    RoaringBitmap runs = RoaringBitmap.bitmapOf(1, 5, 70_000);
    runs.add(100L, 300L);
    runs.runOptimize();
    RoaringBitmap arrays = RoaringBitmap.bitmapOf(1, 5, 70_000, 70_001);
    return List.of(
        new Damaged("zstd", DeletionFile.Kind.ARROW_ARRAY, fixtureFile(), 3, 50),
        new Damaged("raw", DeletionFile.Kind.ARROW_ARRAY, arrow(new int[][] {{9, 4}}), 2, 50),
        new Damaged("runs", DeletionFile.Kind.ROARING_BITMAP, serialize(runs), 203, 80_000),
        new Damaged("arrays", DeletionFile.Kind.ROARING_BITMAP, serialize(arrays), 4, 80_000));
  }

  private static byte[] fixtureFile() throws IOException {
    Path dataset = Fixtures.dataset("delfew_stable_21");
    try (Dataset open = Dataset.open(dataset)) {
      DataFragment fragment = open.manifest().fragments().get(0);
      DeletionFile file = fragment.deletionFile();
      assertThat(file).isNotNull();
      return Files.readAllBytes(dataset.resolve(file.path(fragment.id())));
    }
  }

  private DeletionVector read(byte[] bytes, DeletionFile.Kind kind, long count, long rows)
      throws IOException {
    DeletionFile file = new DeletionFile(kind, 0, 0, count, null);
    return DeletionVector.read(new OneFile(file.path(0), bytes), file, 0, rows);
  }

  /** A dataset's root with a single file in it. */
  private record OneFile(String name, byte[] bytes) implements Storage {
    @Override
    public String path() {
      return "/root";
    }

    @Override
    public PositionalReader open(String wanted) {
      assertThat(wanted).isEqualTo(name);
      return new BytesReader("/dataset/" + name, bytes);
    }

    @Override
    public List<String> list(String folder) {
      throw new AssertionError("a deletion file is opened by its name");
    }

    @Override
    public boolean exists(String wanted) {
      throw new AssertionError("a deletion file is opened by its name");
    }

    @Override
    public Storage resolve(String pathOrUri) {
      throw new AssertionError("the caller has resolved the base path");
    }
  }

  private static byte[] serialize(RoaringBitmap bitmap) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    bitmap.serialize(new DataOutputStream(out));
    return out.toByteArray();
  }

  /** An Arrow file as Arrow's own writer makes it. */
  private static byte[] arrow(int[][] batches) throws IOException {
    Field field =
        new Field("row_id", new FieldType(false, new ArrowType.Int(32, false), null), null);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (RootAllocator allocator = new RootAllocator();
        VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(List.of(field)), allocator);
        ArrowFileWriter writer = new ArrowFileWriter(root, null, Channels.newChannel(out))) {
      FieldVector vector = root.getVector(0);
      for (int[] batch : batches) {
        for (int i = 0; i < batch.length; i++) {
          ((UInt4Vector) vector).setSafe(i, batch[i]);
        }
        root.setRowCount(batch.length);
        writer.writeBatch();
      }
    }
    return out.toByteArray();
  }
}
