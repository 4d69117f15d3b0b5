package io.github.lancecalcite.dataset;

import static io.github.lancecalcite.dataset.SystemColumn.FRAGMENT_ID;
import static io.github.lancecalcite.dataset.SystemColumn.ROW_ADDR;
import static io.github.lancecalcite.dataset.SystemColumn.ROW_CREATED_AT_VERSION;
import static io.github.lancecalcite.dataset.SystemColumn.ROW_ID;
import static io.github.lancecalcite.dataset.SystemColumn.ROW_LAST_UPDATED_AT_VERSION;
import static io.github.lancecalcite.dataset.SystemColumn.ROW_OFFSET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.ValueRanges;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.U64Segment;
import io.github.lancecalcite.format.VersionRun;
import io.github.lancecalcite.rowid.RowIdSequence;
import io.github.lancecalcite.rowid.RowRanges;
import io.github.lancecalcite.rowid.Segments;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.util.TransferPair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SystemColumnReaderTest {
  private static final List<SystemColumn> ALL = List.of(SystemColumn.values());

  private final RootAllocator allocator = new RootAllocator();

  @TempDir Path folder;

  @AfterEach
  void noMemoryIsLeft() {
    allocator.close();
  }

  /** Takes the tasks in turn, the last as often as needed, and checks every value. */
  private void check(
      String name,
      SyntheticFragment fragment,
      RowIdSequence selection,
      long[] positions,
      List<SystemColumn> columns,
      int... tasks)
      throws IOException {
    assertThat(selection.length()).as(name).isEqualTo(positions.length);
    try (SystemColumnReader reader =
        SystemColumnReader.open(fragment.rows, columns, selection, 0, allocator)) {
      int at = 0;
      for (int task = 0; reader.remaining() > 0; task++) {
        assertThat(reader.remaining()).as(name).isEqualTo(positions.length - at);
        int rows = (int) Math.min(tasks[Math.min(task, tasks.length - 1)], reader.remaining());
        reader.next(rows);
        for (int c = 0; c < columns.size(); c++) {
          UInt8Vector vector = reader.vectors().get(c);
          assertThat(vector.getName()).isEqualTo(columns.get(c).columnName());
          assertThat(vector.getValueCount()).as(name).isEqualTo(rows);
          assertThat(vector.getNullCount()).as(name).isZero();
          long[] values = values(vector);
          long[] should = fragment.expected(columns.get(c), positions, at, rows);
          int wrong = Arrays.mismatch(values, should);
          if (wrong >= 0) {
            assertThat(values[wrong])
                .as("%s, %s, row %d of the batch at %d", name, columns.get(c), wrong, at)
                .isEqualTo(should[wrong]);
          }
          assertThat(vector.get(rows - 1)).as(name).isEqualTo(should[rows - 1]);
        }
        at += rows;
      }
      assertThat(at).as(name).isEqualTo(positions.length);
    }
    assertThat(allocator.getAllocatedMemory()).as(name).isZero();
  }

  /** All values at once; one by one takes minutes under the debugging allocator. */
  private static long[] values(UInt8Vector vector) {
    byte[] bytes = new byte[vector.getValueCount() * Long.BYTES];
    MemoryUtil.copyFromMemory(vector.getDataBufferAddress(), bytes, 0, bytes.length);
    long[] values = new long[vector.getValueCount()];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(values);
    return values;
  }

  private static Map<String, List<U64Segment>> encodings(int rows) {
    Random random = new Random(rows);
    Map<String, List<U64Segment>> encodings = new LinkedHashMap<>();
    encodings.put("range", List.of(Segments.range(1000, 1000 + rows)));
    long[] holes = LongStream.range(0, rows / 16).map(i -> 5 + i * 17).toArray();
    encodings.put("holes", List.of(Segments.holes(5, 5 + rows + holes.length, holes)));
    encodings.put("dense bitmap", List.of(fill(rows, i -> i % 17 != 0)));
    encodings.put("sparse bitmap", List.of(fill(rows, i -> i % 2 == 0)));
    encodings.put(
        "sorted array",
        List.of(Segments.sorted(random.longs(rows, 0, 9L << 33).sorted().toArray())));
    encodings.put("array", List.of(Segments.array(random.longs(rows, 70, 65000).toArray())));
    List<U64Segment> mixed = new ArrayList<>();
    for (int left = rows, i = 0; left > 0; i++) {
      int n = Math.min(left, 1 + i * 37 % 900);
      mixed.add(
          switch (i % 4) {
            case 0 -> Segments.range(i * 10_000L, i * 10_000L + n);
            case 1 -> fill(n, b -> b % 5 != 1);
            case 2 -> Segments.array(random.longs(n, 0, 99_999).toArray());
            default -> Segments.holes(0, n + 1, 0);
          });
      left -= n;
    }
    encodings.put("mixed", mixed);
    return encodings;
  }

  /** A bitmap with exactly {@code rows} bits set, all in slots that the predicate allows. */
  private static U64Segment fill(int rows, java.util.function.IntPredicate allowed) {
    BitSet set = new BitSet();
    int slots = 0;
    for (int left = rows; left > 0; slots++) {
      if (allowed.test(slots)) {
        set.set(slots);
        left--;
      }
    }
    return Segments.bitmap(77, slots, set::get);
  }

  private static List<VersionRun> runs(int rows, int length) {
    List<VersionRun> runs = new ArrayList<>();
    for (int at = 0; at < rows; at += length) {
      int n = Math.min(length, rows - at);
      runs.add(new VersionRun(Segments.range(0, n), 1 + at / length % 7));
    }
    return runs;
  }

  /**
   * Encodings by boundary offsets by batch sizes by columns, each value against an oracle that
   * knows the metadata only.
   */
  @Test
  void everyEncodingOffsetBatchSizeAndColumnSetEqualsTheOracle() throws IOException {
    List<List<SystemColumn>> columnSets =
        List.of(List.of(ROW_ID), List.of(ROW_ADDR), List.of(ROW_ID, ROW_ADDR), ALL);
    int large = 140_003;
    int small = 201;
    for (int rows : new int[] {small, large}) {
      int[] batches =
          rows == small
              ? new int[] {1, 7, 64, 65, 200, 201, 202}
              : new int[] {1024, 8192, 16_384, 21_845, 32_769, 65_535, 65_536, 65_537, 140_003};
      for (Map.Entry<String, List<U64Segment>> encoding : encodings(rows).entrySet()) {
        SyntheticFragment fragment =
            new SyntheticFragment(
                folder,
                3,
                rows,
                encoding.getValue(),
                runs(rows, 1000),
                runs(rows, 1),
                new BitSet());
        for (long offset : new long[] {0, 1, 8, 63, 64, 65, 200}) {
          RowIdSequence selection = RowIdSequence.range(offset, rows - offset);
          int batch = batches[(int) (offset % batches.length)];
          for (List<SystemColumn> columns : columnSets) {
            String name = encoding.getKey() + " of " + rows + " from " + offset + " by " + batch;
            check(name, fragment, selection, fragment.live(offset), columns, batch);
          }
        }
        for (int batch : batches) {
          String name = encoding.getKey() + " of " + rows + " by " + batch;
          check(name, fragment, RowIdSequence.range(0, rows), fragment.live(0), ALL, batch);
        }
      }
    }
  }

  @Test
  void withoutStableRowIdsTheRowIdIsTheAddress() throws IOException {
    SyntheticFragment fragment =
        new SyntheticFragment(folder, 5, 300, null, List.of(), List.of(), new BitSet());
    check("unstable", fragment, RowIdSequence.range(0, 300), fragment.live(0), ALL, 128);
  }

  @Test
  void deletedRowsAreLeftOut() throws IOException {
    for (int oneIn : new int[] {2, 3, 17, 101, 5000}) {
      for (int rows : new int[] {64, 1000, 20_000}) {
        for (List<U64Segment> segments : encodings(rows).values()) {
          BitSet deleted = new BitSet();
          Random random = new Random(oneIn);
          for (int i = 0; i < rows; i++) {
            deleted.set(i, random.nextInt(oneIn) == 0);
          }
          SyntheticFragment fragment =
              new SyntheticFragment(
                  folder, 1, rows, segments, runs(rows, 3), runs(rows, 400), deleted);
          RowIdSequence selection = fragment.select(SystemPredicate.NONE);
          String name = rows + " rows, one in " + oneIn + " deleted";
          check(name, fragment, selection, fragment.live(0), ALL, 256);
        }
      }
    }
  }

  @Test
  void varyingTasksDrainTheChunkAndThenDecodeExactly() throws IOException {
    int rows = 200_001;
    SyntheticFragment fragment =
        new SyntheticFragment(
            folder,
            0,
            rows,
            List.of(fill(rows, i -> i % 9 != 0)),
            runs(rows, 10),
            runs(rows, 100_000),
            new BitSet());
    RowIdSequence all = RowIdSequence.range(0, rows);
    check("alternating", fragment, all, fragment.live(0), ALL, alternating(32_768, 32_769, 8));
    check("growing", fragment, all, fragment.live(0), ALL, 100, 100, 100, 101, 40_000, 7, 777);
    check(
        "larger than the chunk",
        fragment,
        all,
        fragment.live(0),
        List.of(ROW_ID),
        1000,
        90_000,
        5000);
    check("smaller", fragment, all, fragment.live(0), List.of(ROW_ID), 10_000, 999);
    check("one", fragment, all, fragment.live(0), ALL, rows);
  }

  private static int[] alternating(int a, int b, int count) {
    int[] tasks = new int[count];
    for (int i = 0; i < count; i++) {
      tasks[i] = i % 2 == 0 ? a : b;
    }
    return tasks;
  }

  @Test
  void conditionsOnSystemColumnsSelectRows() throws IOException {
    int rows = 5000;
    BitSet deleted = new BitSet();
    deleted.set(100, 130);
    deleted.set(4000);
    for (List<U64Segment> segments : encodings(rows).values()) {
      SyntheticFragment fragment =
          new SyntheticFragment(folder, 2, rows, segments, runs(rows, 50), runs(rows, 11), deleted);
      List<SystemPredicate> conditions =
          List.of(
              SystemPredicate.NONE.and(ROW_ID, ValueRanges.closed(500, 1500)),
              SystemPredicate.NONE.and(
                  ROW_ADDR, ValueRanges.closed((2L << 32) + 90, (2L << 32) + 140)),
              SystemPredicate.NONE.and(ROW_ADDR, ValueRanges.closed(0, 4000)),
              SystemPredicate.NONE.and(ROW_LAST_UPDATED_AT_VERSION, ValueRanges.closed(6, -1L)),
              SystemPredicate.NONE
                  .and(ROW_CREATED_AT_VERSION, ValueRanges.of(2, 4))
                  .and(ROW_LAST_UPDATED_AT_VERSION, ValueRanges.of(3))
                  .and(ROW_ID, ValueRanges.closed(0, 3000)),
              SystemPredicate.NONE.and(FRAGMENT_ID, ValueRanges.of(1)));
      for (SystemPredicate condition : conditions) {
        long[] expected =
            LongStream.of(fragment.live(0))
                .filter(
                    p ->
                        ALL.stream()
                            .allMatch(c -> condition.allowed(c).contains(fragment.expected(c, p))))
                .toArray();
        RowIdSequence selection = fragment.select(condition);
        check(condition.toString(), fragment, selection, expected, ALL, 100);
      }
    }
  }

  @Test
  void slicesOutliveTheirChunkUntilTheyAreReleased() throws IOException {
    SyntheticFragment fragment =
        new SyntheticFragment(
            folder,
            0,
            200_000,
            List.of(Segments.range(7, 200_007)),
            List.of(),
            List.of(),
            new BitSet());
    List<UInt8Vector> kept = new ArrayList<>();
    RowIdSequence all = RowIdSequence.range(0, 200_000);
    try (SystemColumnReader reader =
        SystemColumnReader.open(fragment.rows, List.of(ROW_ID), all, 0, allocator)) {
      while (reader.remaining() > 0) {
        reader.next((int) Math.min(1000, reader.remaining()));
        UInt8Vector vector = reader.vectors().get(0);
        TransferPair pair = vector.getTransferPair(allocator);
        if (kept.size() % 2 == 0) {
          pair.transfer();
        } else {
          pair.splitAndTransfer(0, vector.getValueCount());
        }
        kept.add((UInt8Vector) pair.getTo());
      }
    }
    for (int batch = 0; batch < kept.size(); batch++) {
      for (int i = 0; i < 1000; i++) {
        assertThat(kept.get(batch).get(i)).isEqualTo(7 + batch * 1000L + i);
      }
      kept.get(batch).close();
    }
    assertThat(kept).hasSize(200);
  }

  @Test
  void readAheadIsBoundedInAllAndByTheSelection() throws IOException {
    SyntheticFragment fragment =
        new SyntheticFragment(
            folder,
            0,
            900_000,
            List.of(Segments.range(0, 900_000)),
            List.of(),
            List.of(),
            new BitSet());
    for (List<SystemColumn> columns : List.of(List.of(ROW_ID), ALL)) {
      RowIdSequence all = RowIdSequence.range(0, 900_000);
      long peak = 0;
      try (SystemColumnReader reader =
          SystemColumnReader.open(fragment.rows, columns, all, 0, allocator)) {
        while (reader.remaining() > 0) {
          reader.next((int) Math.min(1024, reader.remaining()));
          peak = Math.max(peak, allocator.getAllocatedMemory());
        }
      }
      // the values, and set bits for the validity of one batch
      assertThat(peak).isBetween(256L * 1024, 512L * 1024 + 128);
    }
    long before = allocator.getPeakMemoryAllocation();
    assertThat(before).isLessThanOrEqualTo(512L * 1024 + 128);
    try (RootAllocator small = new RootAllocator(8192);
        SystemColumnReader reader =
            SystemColumnReader.open(
                fragment.rows,
                List.of(ROW_ID),
                RowIdSequence.range(0, 900_000).slice(0, 100),
                0,
                small)) {
      reader.next(64);
      reader.next(36);
      assertThat(reader.remaining()).isZero();
    }
  }

  @Test
  void aSequenceOfTheWrongLengthIsCorruptBeforeAnyBatch() throws IOException {
    for (long ids : new long[] {9, 11, 0}) {
      SyntheticFragment fragment =
          new SyntheticFragment(
              folder, 4, 10, List.of(Segments.range(0, ids)), List.of(), List.of(), new BitSet());
      assertThatThrownBy(
              () ->
                  SystemColumnReader.open(
                      fragment.rows, List.of(ROW_ID), RowIdSequence.range(0, 10), 0, allocator))
          .isInstanceOf(CorruptFileException.class)
          .hasMessage(
              "corrupt file _versions/1.manifest at offset 99: row ids of fragment 4:"
                  + " expected 10 ids, one per row, found "
                  + ids);
    }
  }

  @Test
  void contradictingHolesAreCorruptWithTheirFragment() throws IOException {
    SyntheticFragment fragment =
        new SyntheticFragment(
            folder, 4, 9, List.of(Segments.holes(0, 10, 10)), List.of(), List.of(), new BitSet());
    assertThatThrownBy(() -> fragment.rows.rowIds())
        .isInstanceOf(CorruptFileException.class)
        .hasMessage(
            "corrupt file _versions/1.manifest at offset 99: row ids of fragment 4, hole of a row"
                + " id range: expected a value of [0, 10), found 10");
  }

  @Test
  void moreRowsThanSelectedAreRefused() throws IOException {
    SyntheticFragment fragment =
        new SyntheticFragment(
            folder, 4, 10, List.of(Segments.range(0, 10)), List.of(), List.of(), new BitSet());
    try (SystemColumnReader reader =
        SystemColumnReader.open(
            fragment.rows,
            List.of(ROW_ID),
            RowIdSequence.ofPositions(RowRanges.all(10), new long[0]),
            0,
            allocator)) {
      assertThatThrownBy(() -> reader.next(11)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> reader.next(0)).isInstanceOf(IllegalArgumentException.class);
      reader.next(10);
    }
  }

  static Stream<String> fixtures() {
    return Fixtures.names().stream()
        .filter(name -> name.matches("(seg_|del(few|many|frag)|customids|manyupd|versions_).*"));
  }

  /** The real thing: what lance-core returned for the system columns of every fixture. */
  @ParameterizedTest
  @MethodSource("fixtures")
  void fixturesEqualWhatLanceReturned(String name) throws IOException {
    List<JsonNode> expected = new ArrayList<>();
    Fixtures.rows(name).forEach(expected::add);
    List<SystemColumn> columns =
        Stream.of(ROW_ID, ROW_ADDR, ROW_CREATED_AT_VERSION, ROW_LAST_UPDATED_AT_VERSION, ROW_OFFSET)
            .toList();
    try (Dataset dataset = Dataset.open(Fixtures.dataset(name), allocator)) {
      int at = 0;
      for (DataFragment fragment : dataset.manifest().fragments()) {
        RowMetadata rows =
            new RowMetadata(dataset.manifest(), dataset.files(), fragment, fragment.physicalRows());
        RowIdSequence selection =
            RowIdSequence.ofPositions(RowRanges.all(rows.physicalRows()), rows.deletions().words());
        try (SystemColumnReader reader =
            SystemColumnReader.open(rows, columns, selection, at, allocator)) {
          while (reader.remaining() > 0) {
            int n = (int) Math.min(100, reader.remaining());
            reader.next(n);
            for (int i = 0; i < n; i++, at++) {
              for (UInt8Vector vector : reader.vectors()) {
                JsonNode value = expected.get(at).get(vector.getName());
                if (vector.getName().equals(ROW_OFFSET.columnName())) {
                  assertThat(vector.get(i)).isEqualTo(at);
                } else {
                  assertThat(vector.get(i))
                      .as("%s of row %d", vector.getName(), at)
                      .isEqualTo(value.bigIntegerValue().longValue());
                }
              }
            }
          }
        }
      }
      assertThat(at).isEqualTo(expected.size());
    }
  }
}
