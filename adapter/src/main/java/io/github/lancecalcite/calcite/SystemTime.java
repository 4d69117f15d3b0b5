package io.github.lancecalcite.calcite;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSnapshot;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.sql.validate.SqlValidatorCatalogReader;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.jspecify.annotations.Nullable;

/**
 * Replaces {@code t FOR SYSTEM_TIME AS OF …} by the version {@code "t@5"} of that time, with the
 * name {@code t} where the statement gives none: plans and push-down are those of the version.
 */
final class SystemTime extends SqlShuttle {
  private final SqlValidatorCatalogReader catalog;

  /** Names that the statement gives to queries. */
  private final Set<String> queries;

  private SystemTime(SqlValidatorCatalogReader catalog, Set<String> queries) {
    this.catalog = catalog;
    this.queries = queries;
  }

  /**
   * The statement without mentions of system time.
   *
   * @throws LanceException if one names no Lance table or no fixed time, or a time before the first
   *     version
   */
  static SqlNode resolve(SqlNode statement, SqlValidatorCatalogReader catalog) {
    SqlNode resolved = statement.accept(new SystemTime(catalog, queries(statement)));
    return resolved == null ? statement : resolved;
  }

  private static Set<String> queries(SqlNode statement) {
    Set<String> names = new HashSet<>();
    statement.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlCall call) {
            if (call instanceof SqlWithItem item) {
              names.add(item.name.getSimple());
            }
            return super.visit(call);
          }
        });
    return names;
  }

  @Override
  public @Nullable SqlNode visit(SqlCall call) {
    if (call instanceof SqlSnapshot snapshot) {
      SqlIdentifier table = table(snapshot);
      SqlParserPos position = snapshot.getParserPosition();
      return SqlStdOperatorTable.AS.createCall(
          position, versioned(table, snapshot), new SqlIdentifier(last(table), position));
    }
    if (call.getKind() == SqlKind.AS && call.operand(0) instanceof SqlSnapshot snapshot) {
      List<SqlNode> operands = new ArrayList<>(call.getOperandList());
      operands.set(0, versioned(table(snapshot), snapshot));
      return call.getOperator().createCall(call.getParserPosition(), operands);
    }
    return super.visit(call);
  }

  private static SqlIdentifier table(SqlSnapshot snapshot) {
    SqlNode table = snapshot.getTableRef();
    if (table.getKind() == SqlKind.TABLE_REF) {
      table = ((SqlCall) table).operand(0);
    }
    if (table instanceof SqlIdentifier identifier) {
      return identifier;
    }
    throw notATable(table.toString());
  }

  private static RuntimeException notATable(String what) {
    return LanceFailure.unsupportedSql(
        "FOR SYSTEM_TIME AS OF needs a table of a Lance dataset, not " + what);
  }

  private static String last(SqlIdentifier table) {
    return table.names.get(table.names.size() - 1);
  }

  private SqlIdentifier versioned(SqlIdentifier table, SqlSnapshot snapshot) {
    if (table.isSimple() && queries.contains(table.getSimple())) {
      throw notATable("the query " + table);
    }
    SqlValidatorTable found = catalog.getTable(table.names);
    if (found == null) {
      return table; // the validator says so, and where
    }
    LanceTable rows = found.unwrap(LanceTable.class);
    MetadataTable metadata = found.unwrap(MetadataTable.class);
    if (rows == null && metadata == null) {
      throw notATable(table.toString());
    }
    TableName name = rows == null ? metadata.name() : rows.name();
    LanceSource source = rows == null ? metadata.source() : rows.source();
    if (name.at() != null) {
      throw LanceFailure.unsupportedSql(
          table + " names a version already: leave @" + name.at() + " or FOR SYSTEM_TIME out");
    }
    Instant instant = FixedInstant.of(snapshot.getPeriod());
    List<String> names = new ArrayList<>(table.names);
    String versioned = name.atVersion(source.versionAt(instant));
    if (source.hasDataset(versioned)) {
      throw LanceFailure.unsupportedSql(
          "FOR SYSTEM_TIME cannot reach " + versioned + ": a dataset of that name hides it");
    }
    names.set(names.size() - 1, versioned);
    return new SqlIdentifier(names, table.getParserPosition());
  }
}
