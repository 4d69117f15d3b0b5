package io.github.lancecalcite.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.io.BytesReader;
import io.github.lancecalcite.io.LocalStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damaged manifests of real datasets end in one of two errors or in a manifest, never otherwise.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ManifestDamageTest {
  @ParameterizedTest
  @ValueSource(strings = {"seg_mixed_21", "types_nested_21", "delfew_unstable_20", "updcols_21"})
  void everyTruncationIsCorrupt(String fixture) throws IOException {
    byte[] whole = manifest(fixture);
    for (int length = 0; length < whole.length; length++) {
      String outcome = read(Arrays.copyOf(whole, length));
      assertThat(outcome).as("%s cut to %s bytes", fixture, length).startsWith("corrupt file m: ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"seg_mixed_21", "types_nested_21", "delfew_unstable_20", "updcols_21", "tags_21"})
  void everyFlippedBitIsSeenOrHarmless(String fixture) throws IOException {
    byte[] whole = manifest(fixture);
    int refused = 0;
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      if (!read(flipped).equals("read")) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(whole.length / 4);
  }

  @Test
  void randomBytesBehindAWholeTailAreSeenOrHarmless() throws IOException {
    byte[] whole = manifest("types_nested_21");
    int start =
        (int)
                (long)
                    java.nio.ByteBuffer.wrap(whole)
                        .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                        .getLong(whole.length - 16)
            + 4;
    Random random = new Random(42);
    for (int round = 0; round < 20_000; round++) {
      byte[] damaged = whole.clone();
      int at = start + random.nextInt(whole.length - 16 - start);
      int length = Math.min(1 + random.nextInt(12), whole.length - 16 - at);
      for (int i = 0; i < length; i++) {
        damaged[at + i] = (byte) random.nextInt();
      }
      read(damaged);
    }
  }

  /** "read" or the message of the expected kind of error; anything else fails the test. */
  private static String read(byte[] bytes) throws IOException {
    try {
      ManifestReader.read(new BytesReader("m", bytes));
      return "read";
    } catch (CorruptFileException e) {
      return e.getMessage().replaceFirst(" at offset \\d+:", ":");
    } catch (UnsupportedFormatException e) {
      return e.getMessage();
    }
  }

  private static byte[] manifest(String fixture) throws IOException {
    LocalStorage storage = LocalStorage.of(Fixtures.dataset(fixture));
    String name = ManifestNaming.list(storage).lastEntry().getValue();
    return Files.readAllBytes(storage.root().resolve(ManifestNaming.FOLDER).resolve(name));
  }
}
