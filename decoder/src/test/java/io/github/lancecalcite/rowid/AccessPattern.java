package io.github.lancecalcite.rowid;

import java.util.Arrays;
import java.util.Random;

/** The ways in which cursors are walked in tests. */
enum AccessPattern {
  ALL {
    @Override
    void walk(AssertingCursor cursor, int length, Random random) {
      cursor.next(length + 5);
      cursor.next(1);
    }
  },
  ODD_BATCHES {
    @Override
    void walk(AssertingCursor cursor, int length, Random random) {
      int batch = 1 + random.nextInt(70);
      while (cursor.next(batch) == batch) {}
    }
  },
  EVERY_BATCH_SIZE {
    @Override
    void walk(AssertingCursor cursor, int length, Random random) {
      while (cursor.position() < length) {
        cursor.next(random.nextInt(5) == 0 ? 0 : random.nextInt(200));
      }
    }
  },
  GAPS {
    @Override
    void walk(AssertingCursor cursor, int length, Random random) {
      while (cursor.position() < length) {
        cursor.next(random.nextInt(40));
        cursor.seek(Math.min(length, cursor.position() + random.nextInt(90)));
      }
    }
  },
  REWINDS {
    @Override
    void walk(AssertingCursor cursor, int length, Random random) {
      for (int i = 0; i < 30; i++) {
        cursor.next(random.nextInt(150));
        cursor.seek(Math.max(0, cursor.position() - random.nextInt(100)));
      }
    }
  },
  FAR_JUMPS {
    @Override
    void walk(AssertingCursor cursor, int length, Random random) {
      for (int i = 0; i < 40; i++) {
        boolean back = i % 2 == 0;
        int at = random.nextInt(length / 2 + 1);
        cursor.seek(back ? at : length - at);
        cursor.next(random.nextInt(70));
      }
    }
  },
  DESCENDING {
    @Override
    void walk(AssertingCursor cursor, int length, Random random) {
      int step = 1 + random.nextInt(60);
      for (int at = length; at >= 0; at -= step) {
        cursor.seek(at);
        cursor.next(step);
      }
      cursor.seekOutside(-1);
      cursor.seekOutside(length + 1L);
    }
  },
  POSITIONS {
    @Override
    void walk(AssertingCursor cursor, int length, Random random) {
      if (length == 0) {
        cursor.read();
        return;
      }
      for (int i = 0; i < 5; i++) {
        long[] positions = random.longs(random.nextInt(900), 0, length).sorted().toArray();
        cursor.read(positions);
      }
      cursor.read(0, 0, 0, length - 1L, length - 1L);
      if (length > 1) {
        cursor.readUnsorted(0, length - 1L, 0);
        cursor.readUnsorted(length - 1L, length - 2L);
      }
    }
  };

  abstract void walk(AssertingCursor cursor, int length, Random random);

  /** Walks a new cursor of each kind of access. */
  static void walkAll(
      java.util.function.Supplier<LongCursor> cursors, long[] expected, String name, long seed) {
    for (AccessPattern pattern : values()) {
      pattern.walk(
          new AssertingCursor(cursors.get(), expected, name + ", " + pattern),
          expected.length,
          new Random(seed));
    }
    // one cursor, several patterns in turn
    AssertingCursor all = new AssertingCursor(cursors.get(), expected, name + ", mixed");
    Random random = new Random(seed);
    for (AccessPattern pattern : Arrays.asList(REWINDS, GAPS, FAR_JUMPS, POSITIONS, ODD_BATCHES)) {
      pattern.walk(all, expected.length, random);
    }
  }
}
