package io.github.lancecalcite.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.IndexMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StorageListingTest {
  private static final Map<String, String> KINDS =
      Map.of(
          "Range", "range",
          "RangeWithHoles", "range with holes",
          "RangeWithBitmap", "range with bitmap",
          "SortedArray", "sorted array",
          "Array", "array");

  @Test
  void filesAreThoseTheWriterTells() throws IOException {
    int compared = 0;
    for (String fixture : Fixtures.names()) {
      List<String> expected = new ArrayList<>();
      for (JsonNode fragment : Fixtures.meta(fixture).path("fragments")) {
        long id = fragment.path("id").longValue();
        for (JsonNode file : fragment.path("files")) {
          boolean legacy = file.path("version").textValue().startsWith("0.");
          expected.add(
              id
                  + " DATA data/"
                  + file.path("path").textValue()
                  + " "
                  + file.path("version").textValue()
                  + " "
                  + (legacy ? -1 : file.path("size").longValue())
                  + " "
                  + file.path("fields").toString().replace(",", ", "));
        }
        JsonNode deletions = fragment.path("deletions");
        if (!deletions.isNull()) {
          boolean array = deletions.path("type").textValue().equals("ARRAY");
          String path =
              "_deletions/"
                  + id
                  + "-"
                  + deletions.path("readVersion").longValue()
                  + "-"
                  + deletions.path("id").bigIntegerValue().toString()
                  + (array ? ".arrow" : ".bin");
          long bytes = Files.size(Fixtures.dataset(fixture).resolve(path));
          expected.add(
              id + " DELETIONS " + path + (array ? " arrow " : " roaring ") + bytes + " []");
        }
      }
      try (Dataset dataset = Dataset.open(Fixtures.dataset(fixture))) {
        List<String> found = new ArrayList<>();
        for (FragmentFile file : dataset.fragmentFiles()) {
          assertThat(file.base()).isNull();
          found.add(
              file.fragmentId()
                  + " "
                  + file.kind()
                  + " "
                  + file.path()
                  + " "
                  + file.format()
                  + " "
                  + file.bytes()
                  + " "
                  + file.fieldIds());
        }
        assertThat(found).as(fixture).isEqualTo(expected);
        compared += found.size();
      }
    }
    assertThat(compared).isGreaterThan(200);
  }

  @Test
  void segmentsAreOfTheKindsTheWriterTellsAndHoldTheIdsOfTheRows() throws IOException {
    int compared = 0;
    for (String fixture : Fixtures.names()) {
      try (Dataset dataset = Dataset.open(Fixtures.dataset(fixture))) {
        List<String> expected = new ArrayList<>();
        boolean all = true;
        for (JsonNode fragment : Fixtures.meta(fixture).path("fragments")) {
          for (JsonNode segment : fragment.path("rowIdSegments")) {
            String kind = KINDS.get(segment.textValue().split("\\(")[0]);
            if (kind == null) { // "… and so on": the writer listed the first ones only
              all = false;
              break;
            }
            expected.add(fragment.path("id") + " " + kind);
          }
        }
        List<String> found = new ArrayList<>();
        for (RowIdSegment segment : dataset.rowIdSegments()) {
          found.add(segment.fragmentId() + " " + segment.kind());
        }
        assertThat(all ? found : found.subList(0, expected.size())).as(fixture).isEqualTo(expected);
        for (int i = 0; i < dataset.manifest().fragments().size(); i++) {
          compared += compareWithRows(fixture, dataset, dataset.rows(i));
        }
      }
    }
    assertThat(compared).isGreaterThan(100);
  }

  private static int compareWithRows(String fixture, Dataset dataset, RowMetadata rows)
      throws IOException {
    long next = 0;
    int position = 0;
    for (RowIdSegment segment : dataset.rowIdSegments()) {
      if (segment.fragmentId() != rows.fragmentId()) {
        continue;
      }
      assertThat(segment.position()).as(fixture).isEqualTo(position++);
      assertThat(segment.firstOffset()).as(fixture).isEqualTo(next);
      assertThat(segment.firstId()).as(fixture).isEqualTo(rows.rowIds().get(next));
      next += segment.length();
      assertThat(segment.lastId()).as(fixture).isEqualTo(rows.rowIds().get(next - 1));
    }
    if (position > 0) {
      assertThat(next).as(fixture).isEqualTo(rows.physicalRows());
    }
    return position;
  }

  @Test
  void anIndexWhoseFragmentsCannotBeReadIsCorrupt() throws IOException {
    try (Dataset dataset = Dataset.open(Fixtures.dataset("index_21"))) {
      byte[] whole = dataset.indices().get(0).fragmentBitmap();
      assertThat(dataset.fragmentsOf(index(whole))).containsExactly(0L, 1L, 2L, 3L);
      assertThat(dataset.fragmentsOf(index(new byte[0]))).isNull();
      for (int length = 1; length < whole.length; length++) {
        byte[] cut = java.util.Arrays.copyOf(whole, length);
        assertThatThrownBy(() -> dataset.fragmentsOf(index(cut)))
            .as("cut to " + length + " bytes")
            .isInstanceOf(CorruptFileException.class)
            .hasMessageContaining("fragments of index 'i', Roaring bitmap");
      }
      // one container with the greatest key: 2^32 bits would have to be laid out
      byte[] far = {58, 48, 0, 0, 1, 0, 0, 0, -1, -1, 0, 0, 16, 0, 0, 0, 7, 0};
      assertThatThrownBy(() -> dataset.fragmentsOf(index(far)))
          .isInstanceOf(UnsupportedFormatException.class)
          .hasMessageContaining("fragments of index 'i'");
    }
  }

  private static IndexMetadata index(byte[] bitmap) {
    return new IndexMetadata("i", "u", List.of(0), 1, bitmap, null, null, null, null, -1);
  }
}
