package io.github.lancecalcite.dataset;

import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.Manifest;
import io.github.lancecalcite.rowid.RowRanges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** The cursor of one scan: the streams of its fragments, one after the other. */
final class DatasetScan implements BatchCursor {
  private final ScanRequest request;
  private final FieldsById fields;
  private final Schema schema;
  private final List<ScanFragment> fragments;
  private final BufferAllocator allocator;
  private int following;
  private @Nullable FragmentStream stream;
  private @Nullable VectorSchemaRoot batch;
  private long remaining;
  private boolean finished;
  private boolean closed;

  private DatasetScan(
      ScanRequest request,
      FieldsById fields,
      Schema schema,
      List<ScanFragment> fragments,
      BufferAllocator allocator) {
    this.request = request;
    this.fields = fields;
    this.schema = schema;
    this.fragments = fragments;
    this.allocator = allocator;
    this.remaining = request.limit() < 0 ? Long.MAX_VALUE : request.limit();
  }

  /** The batches of a request; memory comes from a child of {@code parent}. */
  static BatchCursor open(Dataset dataset, ScanRequest request, BufferAllocator parent)
      throws IOException {
    FieldsById fields = new FieldsById(dataset.path(), dataset.fields());
    Schema schema = schema(request, fields);
    List<ScanFragment> fragments = fragments(dataset, request);
    BufferAllocator child =
        parent.newChildAllocator("scan of " + dataset.path(), 0, Long.MAX_VALUE);
    if (SystemScan.answers(request)) {
      return new SystemScan(request, schema, fragments, child);
    }
    return new DatasetScan(request, fields, schema, fragments, child);
  }

  private static Schema schema(ScanRequest request, FieldsById fields) {
    List<Field> columns = new ArrayList<>(request.columns().size());
    Set<ScanColumn> seen = new HashSet<>();
    for (ScanColumn column : request.columns()) {
      if (!seen.add(column)) {
        throw new IllegalArgumentException("column " + column + " is requested twice");
      }
      columns.add(
          column instanceof FieldColumn stored
              ? ArrowSchemas.field(fields.get(stored.fieldId()))
              : SystemVectors.field((SystemColumn) column));
    }
    return new Schema(columns);
  }

  private static List<ScanFragment> fragments(Dataset dataset, ScanRequest request)
      throws IOException {
    Manifest manifest = dataset.manifest();
    List<Long> wanted = request.fragmentIds();
    Set<Long> missing = new HashSet<>(wanted == null ? List.of() : wanted);
    boolean ordinals = request.columns().contains(SystemColumn.ROW_OFFSET);
    List<ScanFragment> fragments = new ArrayList<>();
    long ordinal = 0;
    for (int i = 0; i < manifest.fragments().size(); i++) {
      DataFragment fragment = manifest.fragments().get(i);
      boolean picked = wanted == null || wanted.contains(fragment.id());
      missing.remove(fragment.id());
      if (!picked && !ordinals) {
        continue;
      }
      RowMetadata rows = dataset.rows(i);
      if (picked) {
        fragments.add(new ScanFragment(manifest, dataset.files(), fragment, rows, ordinal));
      }
      if (ordinals) {
        ordinal += rows.physicalRows() - rows.deletions().cardinality();
      }
    }
    if (!missing.isEmpty()) {
      throw new NotFoundException(
          dataset.path(),
          "fragment " + missing.stream().sorted().toList(),
          "version "
              + manifest.version()
              + " has fragments "
              + manifest.fragments().stream().map(DataFragment::id).toList());
    }
    return fragments;
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public boolean next() throws IOException {
    if (closed) {
      throw new IllegalStateException("the scan is closed");
    }
    releaseBatch();
    if (finished) {
      return false;
    }
    boolean found = false;
    try {
      found = advance();
      return found;
    } finally {
      if (!found) { // at the end, or on an error: nothing more will come
        finished = true;
        closeStream();
      }
    }
  }

  private boolean advance() throws IOException {
    while (remaining > 0) {
      FragmentStream current = stream;
      if (current == null) {
        current = openFollowing();
        if (current == null) {
          return false;
        }
        stream = current;
      }
      VectorSchemaRoot root = current.next(schema, (int) Math.min(request.batchSize(), remaining));
      if (root != null) {
        batch = root;
        remaining -= root.getRowCount();
        return true;
      }
      closeStream();
    }
    return false;
  }

  private @Nullable FragmentStream openFollowing() throws IOException {
    while (following < fragments.size()) {
      ScanFragment fragment = fragments.get(following++);
      RowRanges matching = PredicateRows.of(request.predicate(), fragment);
      if (matching != null && matching.rows() > 0) {
        // an updated row keeps its id, so that its deleted former place matches too
        matching = matching.without(fragment.rows().deletions().words());
      }
      if (matching == null || matching.rows() > 0) {
        return FragmentStream.open(fragment, request.columns(), fields, matching, allocator);
      }
    }
    return null;
  }

  @Override
  public VectorSchemaRoot batch() {
    VectorSchemaRoot current = batch;
    if (current == null) {
      throw new IllegalStateException("there is no current batch");
    }
    return current;
  }

  private void releaseBatch() {
    if (batch != null) {
      batch.close();
      batch = null;
    }
  }

  private void closeStream() throws IOException {
    FragmentStream open = stream;
    stream = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      releaseBatch();
      closeStream();
    } finally {
      allocator.close();
    }
  }
}
