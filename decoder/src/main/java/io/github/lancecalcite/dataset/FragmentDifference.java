package io.github.lancecalcite.dataset;

import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.format.SequenceMetadata;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which fragments of a version another version does not have in exactly the same form. */
final class FragmentDifference {
  private FragmentDifference() {}

  /** Places in the manifest, ascending. */
  static List<Integer> places(Manifest of, Manifest other) {
    Map<Long, DataFragment> known = new HashMap<>();
    other.fragments().forEach(fragment -> known.put(fragment.id(), fragment));
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < of.fragments().size(); i++) {
      DataFragment fragment = of.fragments().get(i);
      if (!same(fragment, known.get(fragment.id()))) {
        places.add(i);
      }
    }
    return places;
  }

  private static boolean same(DataFragment a, @Nullable DataFragment b) {
    return b != null
        && a.files().equals(b.files())
        && Objects.equals(a.deletionFile(), b.deletionFile())
        && same(a.rowIds(), b.rowIds())
        && same(a.lastUpdatedAt(), b.lastUpdatedAt());
  }

  /** Wherever in a manifest the bytes stand. */
  private static boolean same(@Nullable SequenceMetadata a, @Nullable SequenceMetadata b) {
    if (a instanceof SequenceMetadata.Inline x && b instanceof SequenceMetadata.Inline y) {
      return Arrays.equals(x.bytes(), y.bytes());
    }
    return Objects.equals(a, b);
  }
}
