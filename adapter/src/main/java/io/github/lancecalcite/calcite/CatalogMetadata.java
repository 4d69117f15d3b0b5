package io.github.lancecalcite.calcite;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.DatabaseMetaData;
import java.sql.PseudoColumnUsage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.Meta.ConnectionHandle;
import org.apache.calcite.avatica.Meta.MetaResultSet;
import org.apache.calcite.avatica.Meta.Pat;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * What {@link DatabaseMetaData} tells of schemas, tables, columns, types and functions. The methods
 * bear the names of {@link Meta} and take their places there: Calcite's own class cannot be
 * extended from outside its package.
 *
 * <p>A dataset that cannot be opened is left out of what a pattern finds, and is an error when it
 * is named.
 */
final class CatalogMetadata {
  private static final List<SqlTypeName> TYPES =
      List.of(
          SqlTypeName.BOOLEAN,
          SqlTypeName.TINYINT,
          SqlTypeName.SMALLINT,
          SqlTypeName.INTEGER,
          SqlTypeName.BIGINT,
          SqlTypeName.DECIMAL,
          SqlTypeName.REAL,
          SqlTypeName.DOUBLE,
          SqlTypeName.CHAR,
          SqlTypeName.VARCHAR,
          SqlTypeName.BINARY,
          SqlTypeName.VARBINARY,
          SqlTypeName.DATE,
          SqlTypeName.TIME,
          SqlTypeName.TIMESTAMP,
          SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE);

  /** Methods of this class by the name they have in {@link Meta}. */
  private static final Map<String, Method> METHODS =
      Stream.of(CatalogMetadata.class.getDeclaredMethods())
          .filter(method -> method.getReturnType() == MetaResultSet.class)
          .filter(method -> method.getName().startsWith("get"))
          .collect(Collectors.toMap(Method::getName, method -> method));

  private final AvaticaConnection connection;

  private CatalogMetadata(AvaticaConnection connection) {
    this.connection = connection;
  }

  /** Calcite's answers, and ours where there are some. */
  static Meta over(Meta calcite, AvaticaConnection connection) {
    CatalogMetadata ours = new CatalogMetadata(connection);
    InvocationHandler calls =
        (proxy, method, args) -> {
          Method own = METHODS.get(method.getName());
          try {
            return own == null ? method.invoke(calcite, args) : own.invoke(ours, args);
          } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
          }
        };
    return (Meta)
        Proxy.newProxyInstance(Meta.class.getClassLoader(), new Class<?>[] {Meta.class}, calls);
  }

  MetaResultSet getCatalogs(ConnectionHandle handle) throws SQLException {
    return MetadataRows.texts("TABLE_CAT").on(connection);
  }

  MetaResultSet getSchemas(ConnectionHandle handle, @Nullable String catalog, Pat pattern)
      throws SQLException {
    MetadataRows rows = MetadataRows.texts("TABLE_SCHEM", "TABLE_CATALOG");
    for (String schema : tables().schemas(catalog, new NamePattern(pattern.s))) {
      rows.add(schema, null);
    }
    return rows.on(connection);
  }

  MetaResultSet getTableTypes(ConnectionHandle handle) throws SQLException {
    MetadataRows rows = MetadataRows.texts("TABLE_TYPE");
    for (String type : List.of("SYSTEM TABLE", "TABLE", "VIEW")) {
      rows.add(type);
    }
    return rows.on(connection);
  }

  MetaResultSet getTables(
      ConnectionHandle handle,
      @Nullable String catalog,
      Pat schemas,
      Pat names,
      @Nullable List<String> types)
      throws SQLException {
    MetadataRows rows =
        MetadataRows.texts(
            "TABLE_CAT",
            "TABLE_SCHEM",
            "TABLE_NAME",
            "TABLE_TYPE",
            "REMARKS",
            "TYPE_CAT",
            "TYPE_SCHEM",
            "TYPE_NAME",
            "SELF_REFERENCING_COL_NAME",
            "REF_GENERATION");
    List<CatalogTables.Found> found =
        new ArrayList<>(
            tables().tables(catalog, new NamePattern(schemas.s), new NamePattern(names.s)));
    found.sort(Comparator.comparing(CatalogTables.Found::type)); // stable: by name within a type
    for (CatalogTables.Found table : found) {
      if (types == null || types.contains(table.type())) {
        rows.add(
            null, table.schema(), table.name(), table.type(), null, null, null, null, null, null);
      }
    }
    return rows.on(connection);
  }

  MetaResultSet getColumns(
      ConnectionHandle handle, @Nullable String catalog, Pat schemas, Pat names, Pat columns)
      throws SQLException {
    MetadataRows rows =
        MetadataRows.texts("TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME", "COLUMN_NAME")
            .and(Integer.class, "DATA_TYPE")
            .and(String.class, "TYPE_NAME")
            .and(Integer.class, "COLUMN_SIZE", "BUFFER_LENGTH", "DECIMAL_DIGITS")
            .and(Integer.class, "NUM_PREC_RADIX", "NULLABLE")
            .and(String.class, "REMARKS", "COLUMN_DEF")
            .and(Integer.class, "SQL_DATA_TYPE", "SQL_DATETIME_SUB", "CHAR_OCTET_LENGTH")
            .and(Integer.class, "ORDINAL_POSITION")
            .and(String.class, "IS_NULLABLE", "SCOPE_CATALOG", "SCOPE_SCHEMA", "SCOPE_TABLE")
            .and(Short.class, "SOURCE_DATA_TYPE")
            .and(String.class, "IS_AUTOINCREMENT", "IS_GENERATEDCOLUMN");
    for (Column column : columns(catalog, schemas, names, columns)) {
      TypeDescription type = TypeDescription.of(column.type());
      boolean nullable = column.type().isNullable();
      rows.add(
          null,
          column.table().schema(),
          column.table().name(),
          column.name(),
          type.jdbcType(),
          type.name(),
          type.size(),
          null,
          type.digits(),
          type.radix(),
          nullable ? DatabaseMetaData.columnNullable : DatabaseMetaData.columnNoNulls,
          null,
          null,
          null,
          null,
          type.octets(),
          column.field().getIndex() + 1,
          nullable ? "YES" : "NO",
          null,
          null,
          null,
          null,
          "NO",
          column.isSystem() ? "YES" : "NO");
    }
    return rows.on(connection);
  }

  /** A column of a table that was found. */
  private record Column(CatalogTables.Found table, RelDataTypeField field) {
    String name() {
      return field.getName();
    }

    RelDataType type() {
      return field.getType();
    }

    boolean isSystem() {
      return table.table() instanceof LanceTable lance && lance.isHidden(name());
    }
  }

  private List<Column> columns(@Nullable String catalog, Pat schemas, Pat names, Pat columns) {
    NamePattern wanted = new NamePattern(columns.s);
    NamePattern pattern = new NamePattern(names.s);
    List<Column> found = new ArrayList<>();
    for (CatalogTables.Found table :
        tables().tables(catalog, new NamePattern(schemas.s), pattern)) {
      RelDataType row = rowType(table, pattern.isOpen());
      for (RelDataTypeField field :
          row == null ? List.<RelDataTypeField>of() : row.getFieldList()) {
        if (wanted.matches(field.getName())) {
          found.add(new Column(table, field));
        }
      }
    }
    return found;
  }

  MetaResultSet getPseudoColumns(
      ConnectionHandle handle, @Nullable String catalog, Pat schemas, Pat names, Pat columns)
      throws SQLException {
    MetadataRows rows =
        MetadataRows.texts("TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME", "COLUMN_NAME")
            .and(Integer.class, "DATA_TYPE", "COLUMN_SIZE", "DECIMAL_DIGITS", "NUM_PREC_RADIX")
            .and(String.class, "COLUMN_USAGE", "REMARKS")
            .and(Integer.class, "CHAR_OCTET_LENGTH")
            .and(String.class, "IS_NULLABLE");
    for (Column column : columns(catalog, schemas, names, columns)) {
      if (column.isSystem()) {
        TypeDescription type = TypeDescription.of(column.type());
        rows.add(
            null,
            column.table().schema(),
            column.table().name(),
            column.name(),
            type.jdbcType(),
            type.size(),
            type.digits(),
            type.radix(),
            PseudoColumnUsage.NO_USAGE_RESTRICTIONS.name(),
            null,
            null,
            column.type().isNullable() ? "YES" : "NO");
      }
    }
    return rows.on(connection);
  }

  MetaResultSet getImportedKeys(
      ConnectionHandle handle, @Nullable String catalog, @Nullable String schema, String name)
      throws SQLException {
    return noForeignKeys();
  }

  MetaResultSet getExportedKeys(
      ConnectionHandle handle, @Nullable String catalog, @Nullable String schema, String name)
      throws SQLException {
    return noForeignKeys();
  }

  MetaResultSet getCrossReference(
      ConnectionHandle handle,
      @Nullable String parentCatalog,
      @Nullable String parentSchema,
      String parent,
      @Nullable String foreignCatalog,
      @Nullable String foreignSchema,
      String foreign)
      throws SQLException {
    return noForeignKeys();
  }

  /** Empty as Avatica's, which misspells the last column. */
  private MetaResultSet noForeignKeys() throws SQLException {
    return MetadataRows.texts("PKTABLE_CAT", "PKTABLE_SCHEM", "PKTABLE_NAME", "PKCOLUMN_NAME")
        .and(String.class, "FKTABLE_CAT", "FKTABLE_SCHEM", "FKTABLE_NAME", "FKCOLUMN_NAME")
        .and(Short.class, "KEY_SEQ", "UPDATE_RULE", "DELETE_RULE")
        .and(String.class, "FK_NAME", "PK_NAME")
        .and(Short.class, "DEFERRABILITY")
        .on(connection);
  }

  /**
   * The row id. It stays with a row for good where the dataset keeps stable row ids, and otherwise
   * only within one version, that is within one statement.
   */
  MetaResultSet getBestRowIdentifier(
      ConnectionHandle handle,
      @Nullable String catalog,
      @Nullable String schema,
      String name,
      int scope,
      boolean nullable)
      throws SQLException {
    MetadataRows rows = identifyingColumns();
    for (CatalogTables.Found table : tables().table(catalog, schema, name)) {
      if (table.table() instanceof LanceTable lance && lance.isHidden("_rowid")) {
        boolean stable = lance.dataset().manifest().hasStableRowIds();
        int kept = stable ? DatabaseMetaData.bestRowSession : DatabaseMetaData.bestRowTemporary;
        if (kept >= scope) {
          addIdentifying(rows, kept, "_rowid");
        }
      }
    }
    return rows.on(connection);
  }

  MetaResultSet getVersionColumns(
      ConnectionHandle handle, @Nullable String catalog, @Nullable String schema, String name)
      throws SQLException {
    MetadataRows rows = identifyingColumns();
    String column = "_row_last_updated_at_version";
    for (CatalogTables.Found table : tables().table(catalog, schema, name)) {
      if (table.table() instanceof LanceTable lance
          && lance.isHidden(column)
          && lance.dataset().manifest().hasStableRowIds()) { // not recorded without
        addIdentifying(rows, null, column);
      }
    }
    return rows.on(connection);
  }

  private static MetadataRows identifyingColumns() {
    return MetadataRows.texts()
        .and(Short.class, "SCOPE")
        .and(String.class, "COLUMN_NAME")
        .and(Integer.class, "DATA_TYPE")
        .and(String.class, "TYPE_NAME")
        .and(Integer.class, "COLUMN_SIZE", "BUFFER_LENGTH")
        .and(Short.class, "DECIMAL_DIGITS", "PSEUDO_COLUMN");
  }

  private void addIdentifying(MetadataRows rows, @Nullable Integer scope, String column) {
    TypeDescription type = TypeDescription.of(LanceTypes.system(types()));
    rows.add(
        scope == null ? null : scope.shortValue(),
        column,
        type.jdbcType(),
        type.name(),
        type.size(),
        null,
        (short) 0,
        (short) DatabaseMetaData.bestRowPseudo);
  }

  MetaResultSet getTypeInfo(ConnectionHandle handle) throws SQLException {
    MetadataRows rows =
        MetadataRows.texts("TYPE_NAME")
            .and(Integer.class, "DATA_TYPE", "PRECISION")
            .and(String.class, "LITERAL_PREFIX", "LITERAL_SUFFIX", "CREATE_PARAMS")
            .and(Short.class, "NULLABLE")
            .and(Boolean.class, "CASE_SENSITIVE")
            .and(Short.class, "SEARCHABLE")
            .and(Boolean.class, "UNSIGNED_ATTRIBUTE", "FIXED_PREC_SCALE", "AUTO_INCREMENT")
            .and(String.class, "LOCAL_TYPE_NAME")
            .and(Short.class, "MINIMUM_SCALE", "MAXIMUM_SCALE")
            .and(Integer.class, "SQL_DATA_TYPE", "SQL_DATETIME_SUB", "NUM_PREC_RADIX");
    List<SqlTypeName> sorted = new ArrayList<>(TYPES);
    sorted.sort(Comparator.comparingInt(SqlTypeName::getJdbcOrdinal));
    for (SqlTypeName sql : sorted) {
      RelDataType widest = widest(sql);
      TypeDescription type = TypeDescription.of(widest);
      Integer digits = type.digits();
      boolean binary = SqlTypeName.BINARY_TYPES.contains(sql);
      rows.add(
          type.name(),
          type.jdbcType(),
          type.size(),
          // Calcite gives the prefix of text for VARBINARY
          types().getTypeSystem().getLiteral(binary ? SqlTypeName.BINARY : sql, true),
          types().getTypeSystem().getLiteral(sql, false),
          null,
          (short) DatabaseMetaData.typeNullable,
          SqlTypeName.CHAR_TYPES.contains(sql),
          (short) DatabaseMetaData.typeSearchable,
          false,
          false,
          false,
          type.name(),
          digits == null ? null : (short) 0,
          sql == SqlTypeName.DECIMAL
              ? (Short) (short) LanceTypeSystem.MAX_DECIMAL_DIGITS
              : digits == null ? null : (Short) digits.shortValue(),
          null,
          null,
          type.radix());
    }
    return rows.on(connection);
  }

  private RelDataType widest(SqlTypeName sql) {
    if (!sql.allowsPrec() || SqlTypeName.INT_TYPES.contains(sql)) {
      return types().createSqlType(sql);
    }
    int precision = types().getTypeSystem().getMaxPrecision(sql);
    return sql == SqlTypeName.DECIMAL
        ? types().createSqlType(sql, precision, 0)
        : types().createSqlType(sql, precision);
  }

  /** Calcite's functions. They belong to no schema. */
  MetaResultSet getFunctions(
      ConnectionHandle handle, @Nullable String catalog, Pat schemas, Pat names)
      throws SQLException {
    MetadataRows rows =
        MetadataRows.texts("FUNCTION_CAT", "FUNCTION_SCHEM", "FUNCTION_NAME", "REMARKS")
            .and(Short.class, "FUNCTION_TYPE")
            .and(String.class, "SPECIFIC_NAME");
    boolean wanted =
        CatalogTables.isNoCatalog(catalog)
            && (schemas.s == null || schemas.s.isEmpty() || schemas.s.equals("%"));
    NamePattern pattern = new NamePattern(names.s);
    for (String name : wanted ? functions() : List.<String>of()) {
      if (pattern.matches(name)) {
        rows.add(null, null, name, null, (short) DatabaseMetaData.functionResultUnknown, name);
      }
    }
    return rows.on(connection);
  }

  private TreeSet<String> functions() throws SQLException {
    TreeSet<String> names = new TreeSet<>();
    for (SqlOperator operator :
        calcite()
            .config()
            .fun(SqlOperatorTable.class, SqlStdOperatorTable.instance())
            .getOperatorList()) {
      if (operator instanceof SqlFunction && operator.getName().matches("[A-Z][A-Z0-9_]*")) {
        names.add(operator.getName());
      }
    }
    return names;
  }

  private @Nullable RelDataType rowType(CatalogTables.Found table, boolean leaveOut) {
    try {
      return table.table().getRowType(types());
    } catch (LanceException e) {
      if (leaveOut) {
        return null;
      }
      throw e;
    }
  }

  private CatalogTables tables() {
    return new CatalogTables(calcite());
  }

  private CalciteConnection calcite() {
    return (CalciteConnection) connection;
  }

  private JavaTypeFactory types() {
    return calcite().getTypeFactory();
  }
}
