package io.github.lancecalcite.rowid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;

/**
 * Checks the contract of a cursor around every call: one thread, positions that add up, nothing
 * written outside of what was asked for, every value the oracle's, full reads unless at the end.
 */
public final class AssertingCursor {
  private static final long UNTOUCHED = 0x5A5A_5A5A_5A5A_5A5AL;

  private final LongCursor cursor;
  private final long[] expected;
  private final Thread owner = Thread.currentThread();
  private final String name;

  public AssertingCursor(LongCursor cursor, long[] expected, String name) {
    this.cursor = cursor;
    this.expected = expected;
    this.name = name;
    assertThat(cursor.length()).as(name).isEqualTo(expected.length);
    assertThat(cursor.position()).as(name).isZero();
  }

  public long position() {
    return cursor.position();
  }

  /** Seeks and checks. */
  public void seek(long position) {
    assertThat(Thread.currentThread()).as(name).isSameAs(owner);
    cursor.seek(position);
    assertThat(cursor.position()).as("%s, seek", name).isEqualTo(position);
  }

  /** Seeks where nothing is, which must not move the cursor. */
  public void seekOutside(long position) {
    long before = cursor.position();
    assertThatThrownBy(() -> cursor.seek(position))
        .as("%s, seek to %d", name, position)
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(cursor.position()).as(name).isEqualTo(before);
  }

  /** Reads and checks. */
  public int next(int count) {
    assertThat(Thread.currentThread()).as(name).isSameAs(owner);
    long from = cursor.position();
    int margin = 3;
    long[] destination = new long[count + 2 * margin];
    Arrays.fill(destination, UNTOUCHED);
    int read = cursor.next(destination, margin, count);
    assertThat((long) read)
        .as("%s, %d values at %d", name, count, from)
        .isEqualTo(Math.min(count, expected.length - from));
    assertThat(cursor.position()).as(name).isEqualTo(from + read);
    for (int i = 0; i < destination.length; i++) {
      boolean asked = i >= margin && i < margin + read;
      long should = asked ? expected[(int) from + i - margin] : UNTOUCHED;
      if (destination[i] != should) {
        assertThat(destination[i])
            .as("%s, %d values at %d, value %d", name, count, from, i - margin)
            .isEqualTo(should);
      }
    }
    return read;
  }

  /** Reads sorted positions and checks. */
  public void read(long... positions) {
    long[] destination = new long[positions.length + 2];
    Arrays.fill(destination, UNTOUCHED);
    cursor.read(positions, 0, positions.length, destination, 1);
    assertThat(destination[0]).as(name).isEqualTo(UNTOUCHED);
    assertThat(destination[positions.length + 1]).as(name).isEqualTo(UNTOUCHED);
    for (int i = 0; i < positions.length; i++) {
      assertThat(destination[i + 1])
          .as("%s, position %d", name, positions[i])
          .isEqualTo(expected[(int) positions[i]]);
    }
    if (positions.length > 0) {
      assertThat(cursor.position()).isEqualTo(positions[positions.length - 1] + 1);
    }
  }

  /** Reads unsorted positions, which must be refused before anything is written. */
  public void readUnsorted(long... positions) {
    long before = cursor.position();
    long[] destination = new long[positions.length];
    Arrays.fill(destination, UNTOUCHED);
    assertThatThrownBy(() -> cursor.read(positions, 0, positions.length, destination, 0))
        .as(name)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("positions must not descend, but position ");
    assertThat(destination).as(name).containsOnly(UNTOUCHED);
    assertThat(cursor.position()).as(name).isEqualTo(before);
  }
}
