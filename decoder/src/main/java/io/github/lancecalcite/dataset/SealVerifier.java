package io.github.lancecalcite.dataset;

import io.github.lancecalcite.format.BufferLocation;
import io.github.lancecalcite.format.ColumnMetadata;
import io.github.lancecalcite.format.DataFile;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.FileMetadataReader;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.format.ManifestNaming;
import io.github.lancecalcite.format.PageMetadata;
import io.github.lancecalcite.format.SchemaField;
import io.github.lancecalcite.io.LocalStorage;
import io.github.lancecalcite.io.PositionalReader;
import io.github.lancecalcite.io.SealCheck;
import io.github.lancecalcite.io.SealedStorage;
import io.github.lancecalcite.io.Sealing;
import io.github.lancecalcite.io.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads every block of a sealed dataset and says what each bad one hits: fragment and column of a
 * data file, or the manifest, deletion file or other file it is. One thread.
 */
public final class SealVerifier {
  /**
   * Something wrong.
   *
   * @param fault file, block and offset
   * @param hits what of the dataset it concerns, in words; at least one
   */
  public record Finding(SealCheck.Fault fault, List<String> hits) {
    public Finding {
      hits = List.copyOf(hits);
    }

    /** One line: the file, where in it, what is wrong, what it hits. */
    @Override
    public String toString() {
      String where =
          fault.block() < 0 ? "" : ", block " + fault.block() + " at offset " + fault.offset();
      return fault.file() + where + ": " + fault.problem() + "; hits " + String.join("; ", hits);
    }
  }

  /**
   * The outcome.
   *
   * @param findings empty when the dataset is as it was sealed
   */
  public record Result(int files, long blocks, long bytes, List<Finding> findings) {
    public Result {
      findings = List.copyOf(findings);
    }
  }

  /** A data file as a fragment uses it. */
  private record Owner(long fragment, Map<Integer, String> fieldsByColumn) {}

  private final SealedStorage storage;
  private final Map<String, Owner> owners = new HashMap<>();

  private SealVerifier(SealedStorage storage) {
    this.storage = storage;
  }

  /**
   * Verifies a sealed dataset.
   *
   * @throws io.github.lancecalcite.NotFoundException if the folder has no seal marker
   * @throws io.github.lancecalcite.CorruptFileException if the marker itself is damaged
   */
  public static Result verify(Path root, Sealing.Progress progress) throws IOException {
    LocalStorage folder = LocalStorage.of(root);
    SealCheck.Result check = SealCheck.run(folder, progress);
    List<Finding> findings = new ArrayList<>();
    if (!check.faults().isEmpty() && SealedStorage.detect(folder) instanceof SealedStorage s) {
      SealVerifier verifier = new SealVerifier(s);
      verifier.findOwners();
      for (SealCheck.Fault fault : check.faults()) {
        findings.add(new Finding(fault, verifier.hits(fault)));
      }
    }
    return new Result(check.files(), check.blocks(), check.bytes(), findings);
  }

  /** The data files that any version refers to, as far as manifests can be read. */
  private void findOwners() throws IOException {
    TreeSet<String> lines = new TreeSet<>(); // the main line and every branch
    for (String file : storage.marker().files().keySet()) {
      lines.add(line(file));
    }
    for (String line : lines) {
      Storage root = line.isEmpty() ? storage : storage.resolve(line);
      for (Map.Entry<Long, String> version : ManifestNaming.list(root).entrySet()) {
        try {
          own(line, ManifestNaming.open(root, version.getKey(), version.getValue()));
        } catch (IOException e) {
          // a damaged manifest is among the faults itself; other versions may know the file
        }
      }
    }
  }

  /** Where the branch a file belongs to begins: {@code tree/<branch>/}, or nothing. */
  private static String line(String file) {
    if (!file.startsWith("tree/")) {
      return "";
    }
    int end = -1;
    for (String folder : new String[] {"/data/", "/_versions/", "/_deletions/"}) {
      end = Math.max(end, file.lastIndexOf(folder));
    }
    return end < 0 ? "" : file.substring(0, end + 1);
  }

  private void own(String line, Manifest manifest) {
    Map<Integer, String> names = new HashMap<>();
    name(manifest.fields(), "", names);
    for (DataFragment fragment : manifest.fragments()) {
      for (DataFile file : fragment.files()) {
        if (file.baseId() != null) {
          continue; // lies in another dataset
        }
        Map<Integer, String> columns = new TreeMap<>();
        for (int i = 0; i < file.columnIndices().size(); i++) {
          int field = file.fields().get(i);
          columns.put(
              file.columnIndices().get(i), names.getOrDefault(field, "of dropped field " + field));
        }
        owners.put(line + "data/" + file.path(), new Owner(fragment.id(), columns));
      }
    }
  }

  private static void name(List<SchemaField> fields, String prefix, Map<Integer, String> names) {
    for (SchemaField field : fields) {
      names.put(field.id(), prefix + field.name());
      name(field.children(), prefix + field.name() + ".", names);
    }
  }

  private List<String> hits(SealCheck.Fault fault) {
    String line = line(fault.file());
    String inLine = fault.file().substring(line.length());
    int slash = inLine.lastIndexOf('/');
    String fileName = inLine.substring(slash + 1);
    if (inLine.startsWith("_versions/")) {
      OptionalLong version = ManifestNaming.version(fileName);
      return List.of(
          version.isPresent() ? "manifest of version " + version.getAsLong() : "a version file");
    }
    if (inLine.startsWith("_deletions/")) {
      return List.of("deletions of fragment " + fileName.split("-")[0]);
    }
    Owner owner = owners.get(fault.file());
    if (owner == null) {
      return List.of(
          inLine.startsWith("data/")
              ? "a data file that no readable version refers to"
              : "no column: " + (slash < 0 ? inLine : inLine.substring(0, slash)));
    }
    String fragment = "fragment " + owner.fragment();
    if (fault.block() < 0) {
      return List.of(fragment + ", every column");
    }
    return columns(fault, owner, fragment);
  }

  private List<String> columns(SealCheck.Fault fault, Owner owner, String fragment) {
    long from = fault.contentOffset();
    long to = from + storage.marker().layout().contentBytes();
    TreeSet<String> hits = new TreeSet<>();
    try (PositionalReader file = storage.open(fault.file())) {
      for (ColumnMetadata column : FileMetadataReader.read(file).columns()) {
        for (PageMetadata page : column.pages()) {
          for (BufferLocation buffer : page.buffers()) {
            if (buffer.offset() < to && buffer.offset() + buffer.size() > from) {
              String name = owner.fieldsByColumn().get(column.index());
              hits.add(fragment + ", column " + (name == null ? "#" + column.index() : name));
            }
          }
        }
      }
    } catch (IOException e) {
      return List.of(fragment + ", every column: the file's own metadata cannot be read");
    }
    return hits.isEmpty()
        ? List.of(fragment + ", no column: padding or metadata that scans do not read")
        : List.copyOf(hits);
  }
}
