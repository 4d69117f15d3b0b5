package io.github.lancecalcite.fuzz;

import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.io.LocalStorage;
import io.github.lancecalcite.io.SealedStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The damaged files of a seed, by number: the same number gives the same damage, whichever were
 * asked for before.
 */
final class FuzzInputs {
  private final long seed;
  private final Path folder;
  private final List<String> fixtures = Fixtures.names();
  private final Map<String, FuzzDataset> datasets = new HashMap<>();

  FuzzInputs(long seed, Path folder) {
    this.seed = seed;
    this.folder = folder;
  }

  /**
   * One input.
   *
   * @param random what is left to chance when it is read
   */
  record Input(FuzzDataset dataset, FuzzFile file, Damage damage, Random random) {}

  Input get(int number) throws IOException {
    Random random = new Random(seed * 0x9e3779b97f4a7c15L + number);
    boolean sealed = random.nextInt(6) == 0;
    FuzzDataset dataset = dataset(pick(fixtures, random), sealed);
    FuzzFile file = file(dataset, random);
    byte[] donor = file.whole();
    for (int attempt = 0; attempt < 20 && donor == file.whole(); attempt++) {
      FuzzFile other = pick(dataset(pick(fixtures, random), sealed).files, random);
      if (other.kind() == file.kind()) {
        donor = other.whole();
      }
    }
    return new Input(dataset, file, file.damage(donor, dataset.layout, random), random);
  }

  /** Any kind of file as often as any other that the dataset has. */
  private static FuzzFile file(FuzzDataset dataset, Random random) {
    List<FuzzFile.Kind> kinds =
        dataset.files.stream().map(FuzzFile::kind).distinct().sorted().toList();
    FuzzFile.Kind kind = pick(kinds, random);
    return pick(dataset.files.stream().filter(file -> file.kind() == kind).toList(), random);
  }

  private static <T> T pick(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }

  private FuzzDataset dataset(String fixture, boolean sealed) throws IOException {
    String key = fixture + (sealed ? " sealed" : "");
    FuzzDataset known = datasets.get(key);
    if (known == null) {
      known = sealed ? FuzzDataset.sealed(fixture, folder) : FuzzDataset.plain(fixture, folder);
      if (known.files.isEmpty() || sealed != isSealed(known.root)) {
        throw new AssertionError("nothing to damage in " + key);
      }
      datasets.put(key, known);
    }
    return known;
  }

  private static boolean isSealed(Path root) throws IOException {
    return SealedStorage.detect(LocalStorage.of(root)) instanceof SealedStorage;
  }
}
