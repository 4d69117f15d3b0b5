package io.github.lancecalcite.calcite;

import com.google.common.collect.ImmutableMultimap;
import com.google.common.collect.Multimap;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.calcite.linq4j.function.Predicate1;
import org.apache.calcite.schema.Function;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.SchemaVersion;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.lookup.LikePattern;
import org.apache.calcite.schema.lookup.Lookup;
import org.apache.calcite.schema.lookup.Named;
import org.jspecify.annotations.Nullable;

/**
 * A folder of Lance datasets as a Calcite schema. Looking a table up opens nothing; the table reads
 * its manifest when it is first asked for columns.
 *
 * <p>Calcite takes a {@link #snapshot} for every statement it prepares. A snapshot hands out the
 * same table object for the same name, and a table object stays with the dataset version it saw
 * first: so a statement sees one version, however often it names the table and whatever other
 * processes commit meanwhile.
 *
 * <p>Owns the root allocator and the open scans; {@link #close} releases all of them, for all
 * snapshots.
 */
public final class LanceSchema extends AbstractSchema implements AutoCloseable {
  private final LanceFolder folder;

  /**
   * Whether Calcite looks tables up in a list it takes of {@link Lookup#getNames} instead of asking
   * for the name, which it does beneath its caching schemas; then versions, tags and fragments have
   * to be in the list.
   */
  private final boolean listed;

  private final @Nullable Snapshot snapshot;
  private final Lookup<Table> tables = new Tables();

  private LanceSchema(LanceFolder folder, boolean listed, @Nullable Snapshot snapshot) {
    this.folder = folder;
    this.listed = listed;
    this.snapshot = snapshot;
  }

  /** A schema to put beneath one of Calcite's caching schemas. Owns the folder. */
  static LanceSchema listed(LanceFolder folder) {
    return new LanceSchema(folder, true, null);
  }

  /** A schema that is asked for every table by name. Owns the folder. */
  static LanceSchema direct(LanceFolder folder) {
    return new LanceSchema(folder, false, null);
  }

  /** What one statement has looked up. */
  private static final class Snapshot {
    final Map<String, Table> tables = new ConcurrentHashMap<>();

    /** By dataset and version: {@code t}, {@code t$fragments} and {@code t$fragment_0} agree. */
    final Map<List<@Nullable String>, LanceSource> sources = new ConcurrentHashMap<>();
  }

  @Override
  public Schema snapshot(SchemaVersion version) {
    return new LanceSchema(folder, listed, new Snapshot());
  }

  @Override
  public Lookup<Table> tables() {
    return tables;
  }

  /** {@code lance_changes}, of this statement's datasets. */
  @Override
  protected Multimap<String, Function> getFunctionMultimap() {
    return ImmutableMultimap.of(ChangesFunction.NAME, new ChangesFunction(this::latest));
  }

  private @Nullable LanceSource latest(String dataset) {
    return folder.hasDataset(dataset)
        ? source(new TableName(dataset, null, TableName.Part.ROWS, -1))
        : null;
  }

  LanceFolder folder() {
    return folder;
  }

  /** Number of scans that are open now, of all snapshots. */
  public int openScans() {
    return folder.openScans();
  }

  /** Bytes of Arrow memory that the open scans hold now. */
  public long allocatedBytes() {
    return folder.allocatedBytes();
  }

  /** Ends every open scan and releases their memory. Idempotent. */
  @Override
  public void close() {
    folder.close();
  }

  private @Nullable Table create(String name) {
    TableName parsed = TableName.parse(name, folder::hasDataset);
    if (parsed == null) {
      return null;
    }
    LanceSource source = source(parsed);
    return parsed.part().isMetadata()
        ? MetadataTable.of(parsed.part(), source)
        : new LanceTable(source, parsed.fragment());
  }

  private LanceSource source(TableName name) {
    LanceSource created = new LanceSource(folder, name);
    return snapshot == null
        ? created
        : snapshot.sources.computeIfAbsent(
            Arrays.asList(name.dataset(), name.at()), key -> created);
  }

  /** Names shown to tools, and in a listed snapshot every name that can be used. */
  private Set<String> names() throws IOException {
    Set<String> names = new LinkedHashSet<>();
    for (String dataset : folder.datasetNames()) {
      addNames(names, dataset);
      if (listed && snapshot != null) {
        addUnlistedNames(names, dataset);
      }
    }
    return names;
  }

  private static void addNames(Set<String> names, String base) {
    names.add(base);
    for (TableName.Part part : TableName.METADATA) {
      names.add(base + "$" + part.suffix());
    }
  }

  private void addUnlistedNames(Set<String> names, String dataset) {
    try {
      for (String version : folder.versionNames(dataset)) {
        addNames(names, dataset + "@" + version);
      }
      for (long fragment : folder.fragmentIds(dataset)) {
        names.add(dataset + "$fragment_" + fragment);
      }
    } catch (IOException e) {
      // a damaged dataset must not hide the others; the statement that uses it gets the error
    }
  }

  private final class Tables implements Lookup<Table> {
    @Override
    public @Nullable Table get(String name) {
      if (snapshot == null) {
        return create(name);
      }
      return snapshot.tables.computeIfAbsent(name, LanceSchema.this::create);
    }

    @Override
    public @Nullable Named<Table> getIgnoreCase(String name) {
      Table exact = get(name);
      if (exact != null) {
        return new Named<>(name, exact);
      }
      for (String candidate : getNames(LikePattern.any())) {
        if (candidate.equalsIgnoreCase(name)) {
          Table table = get(candidate);
          return table == null ? null : new Named<>(candidate, table);
        }
      }
      return null;
    }

    @Override
    public Set<String> getNames(LikePattern pattern) {
      Predicate1<String> matcher = pattern.matcher();
      try {
        Set<String> names = names();
        names.removeIf(name -> !matcher.apply(name));
        return names;
      } catch (IOException e) {
        throw LanceFailure.of(e);
      }
    }
  }
}
