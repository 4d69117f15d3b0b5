package io.github.lancecalcite.dataset;

import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.format.DataFile;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.FileMetadata;
import io.github.lancecalcite.format.FileMetadataReader;
import io.github.lancecalcite.io.PositionalReader;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The data files of one fragment, opened when a column of theirs is first asked for. */
final class FragmentFiles implements LeafFiles, Closeable {
  private final DatasetFiles files;
  private final DataFragment fragment;
  private final long physicalRows;
  private final Map<Integer, Place> places = new HashMap<>();
  private final Map<Integer, Open> open = new HashMap<>();
  private final List<PositionalReader> toClose = new ArrayList<>();

  private record Place(int file, int column) {}

  private record Open(PositionalReader reader, FileMetadata metadata) {}

  FragmentFiles(DatasetFiles files, DataFragment fragment, long physicalRows) {
    this.files = files;
    this.fragment = fragment;
    this.physicalRows = physicalRows;
    for (int f = 0; f < fragment.files().size(); f++) {
      DataFile file = fragment.files().get(f);
      for (int i = 0; i < file.fields().size(); i++) {
        int field = file.fields().get(i);
        // −2 marks a column that another file replaces; a legacy file has no column indices
        if (field >= 0) {
          int column = i < file.columnIndices().size() ? file.columnIndices().get(i) : -1;
          places.putIfAbsent(field, new Place(f, column));
        }
      }
    }
  }

  @Override
  public @Nullable LeafColumn find(int fieldId) throws IOException {
    Place place = places.get(fieldId);
    if (place == null) {
      return null;
    }
    Open file = open.get(place.file());
    if (file == null) {
      file = open(fragment.files().get(place.file()));
      open.put(place.file(), file);
    }
    if (place.column() < 0) {
      return null; // a parent that has no column of its own
    }
    if (place.column() >= file.metadata().columns().size()) {
      throw new CorruptFileException(
          file.metadata().path(),
          -1,
          "column of field " + fieldId,
          "one of " + file.metadata().columns().size() + " columns",
          place.column());
    }
    return new LeafColumn(
        file.reader(), file.metadata(), file.metadata().columns().get(place.column()));
  }

  private Open open(DataFile file) throws IOException {
    PositionalReader reader = files.open(file);
    toClose.add(reader);
    FileMetadata metadata = FileMetadataReader.read(reader);
    if (metadata.rows() != physicalRows) {
      throw new CorruptFileException(
          metadata.path(),
          -1,
          "rows of fragment " + fragment.id(),
          physicalRows + " (manifest)",
          metadata.rows());
    }
    return new Open(reader, metadata);
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (PositionalReader reader : toClose) {
      try {
        reader.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    toClose.clear();
    if (failure != null) {
      throw failure;
    }
  }
}
