package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.impl.ViewTable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tools ask a driver for when they connect and browse, and what they are told. */
class DatabaseMetaDataTest {
  private static final String[] KINDS_OF_A_BI_TOOL = {
    "TABLE", "PARTITIONED TABLE", "VIEW", "FOREIGN TABLE", "MATERIALIZED VIEW", "EXTERNAL TABLE"
  };

  private static Sql sql;
  private static DatabaseMetaData metaData;

  @BeforeAll
  static void connect() throws SQLException {
    sql = Sql.on("versions_stable_21");
    metaData = sql.connection().getMetaData();
    SchemaPlus schema =
        sql.connection().unwrap(CalciteConnection.class).getRootSchema().subSchemas().get("lance");
    assertThat(schema).isNotNull();
    schema.add(
        "recent",
        ViewTable.viewMacro(
            schema, "select \"id\" from \"data\"", List.of("lance"), List.of("recent"), false));
  }

  @AfterAll
  static void close() throws SQLException {
    sql.close();
  }

  private interface Call {
    ResultSet result() throws SQLException;
  }

  private static List<String> rows(Call call) throws SQLException {
    try (ResultSet result = call.result()) {
      return Sql.rows(result);
    }
  }

  /** Some columns, by name. */
  private static List<String> rows(Call call, String... columns) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (ResultSet result = call.result()) {
      while (result.next()) {
        StringBuilder row = new StringBuilder();
        for (String column : columns) {
          row.append(row.length() == 0 ? "" : "|").append(result.getString(column));
        }
        rows.add(row.toString());
      }
    }
    return rows;
  }

  private static List<String> labels(Call call) throws SQLException {
    try (ResultSet result = call.result()) {
      ResultSetMetaData columns = result.getMetaData();
      List<String> labels = new ArrayList<>();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        labels.add(columns.getColumnLabel(i));
      }
      return labels;
    }
  }

  /** As DBeaver's generic data source does it: identification, dialect, types, then the tree. */
  @Test
  void replayOfADatabaseBrowser() throws SQLException {
    assertThat(metaData.getDatabaseProductName()).isEqualTo("Lance");
    assertThat(metaData.getDatabaseProductVersion()).isEqualTo("0.1.0");
    assertThat(metaData.getDriverName()).isEqualTo("lance-jdbc");
    assertThat(metaData.getDriverVersion()).isEqualTo("0.1.0");
    assertThat(metaData.isReadOnly()).isTrue();
    assertThat(metaData.getURL()).startsWith("jdbc:lance:").endsWith("versions_stable_21");
    assertThat(metaData.getUserName()).isEmpty();
    assertThat(metaData.getIdentifierQuoteString()).isEqualTo("\"");
    assertThat(metaData.getSearchStringEscape()).isEqualTo("\\");
    assertThat(metaData.getSQLKeywords()).contains("LATERAL");
    assertThat(metaData.getNumericFunctions()).contains("ABS");
    assertThat(metaData.getStringFunctions()).contains("SUBSTRING");
    assertThat(metaData.getTimeDateFunctions()).contains("YEAR");
    assertThat(metaData.storesUpperCaseIdentifiers()).isFalse();
    assertThat(metaData.supportsMixedCaseIdentifiers()).isTrue();
    assertThat(metaData.supportsMixedCaseQuotedIdentifiers()).isTrue();
    assertThat(metaData.supportsSchemasInDataManipulation()).isTrue();
    assertThat(metaData.supportsCatalogsInDataManipulation()).isFalse();
    assertThat(metaData.supportsTransactions()).isFalse();
    assertThat(metaData.supportsBatchUpdates()).isFalse();

    assertThat(rows(metaData::getTableTypes)).containsExactly("SYSTEM TABLE", "TABLE", "VIEW");
    assertThat(rows(metaData::getCatalogs)).isEmpty();
    assertThat(rows(metaData::getSchemas)).containsExactly("lance|null");
    assertThat(rows(() -> metaData.getTables(null, "lance", "%", null)))
        .containsExactly(
            "null|lance|data$branches|SYSTEM TABLE|null|null|null|null|null|null",
            "null|lance|data$columns|SYSTEM TABLE|null|null|null|null|null|null",
            "null|lance|data$files|SYSTEM TABLE|null|null|null|null|null|null",
            "null|lance|data$fragments|SYSTEM TABLE|null|null|null|null|null|null",
            "null|lance|data$indices|SYSTEM TABLE|null|null|null|null|null|null",
            "null|lance|data$rowid_segments|SYSTEM TABLE|null|null|null|null|null|null",
            "null|lance|data$tags|SYSTEM TABLE|null|null|null|null|null|null",
            "null|lance|data$transactions|SYSTEM TABLE|null|null|null|null|null|null",
            "null|lance|data$versions|SYSTEM TABLE|null|null|null|null|null|null",
            "null|lance|data|TABLE|null|null|null|null|null|null",
            "null|lance|recent|VIEW|null|null|null|null|null|null");
    assertThat(rows(() -> metaData.getColumns(null, "lance", "data", "%")))
        .startsWith(
            "null|lance|data|id|-5|BIGINT|19|null|0|10|1|null|null|null|null|null|1|YES"
                + "|null|null|null|null|NO|NO",
            "null|lance|data|s|12|VARCHAR|2147483647|null|null|null|1|null|null|null|null"
                + "|2147483647|2|YES|null|null|null|null|NO|NO",
            "null|lance|data|_rowid|-5|BIGINT|19|null|0|10|0|null|null|null|null|null|3|NO"
                + "|null|null|null|null|NO|YES")
        .hasSize(8);
    assertThat(rows(() -> metaData.getPrimaryKeys(null, "lance", "data"))).isEmpty();
    assertThat(rows(() -> metaData.getIndexInfo(null, "lance", "data", false, true))).isEmpty();
    assertThat(rows(() -> metaData.getImportedKeys(null, "lance", "data"))).isEmpty();
    assertThat(rows(() -> metaData.getExportedKeys(null, "lance", "data"))).isEmpty();
    assertThat(rows(() -> metaData.getProcedures(null, "lance", "%"))).isEmpty();
    assertThat(rows(() -> metaData.getUDTs(null, "lance", "%", null))).isEmpty();
    assertThat(rows(() -> metaData.getFunctions(null, null, "UPPER")))
        .containsExactly("null|null|UPPER|null|0|UPPER");
  }

  /** As Metabase's sync does it: tables of some types by schema, then columns by escaped name. */
  @Test
  void replayOfASync() throws SQLException {
    assertThat(rows(metaData::getSchemas, "TABLE_SCHEM")).containsExactly("lance");
    assertThat(
            rows(
                () -> metaData.getTables(null, "lance", "%", KINDS_OF_A_BI_TOOL),
                "TABLE_SCHEM",
                "TABLE_NAME",
                "TABLE_TYPE",
                "REMARKS"))
        .containsExactly("lance|data|TABLE|null", "lance|recent|VIEW|null");
    assertThat(
            rows(
                () -> metaData.getColumns(null, "lance", "data$rowid\\_segments", null),
                "COLUMN_NAME",
                "TYPE_NAME",
                "IS_NULLABLE",
                "IS_AUTOINCREMENT"))
        .contains("fragment_id|BIGINT|NO|NO", "first_id|BIGINT|YES|NO");
    assertThat(rows(() -> metaData.getPrimaryKeys(null, "lance", "data"), "COLUMN_NAME")).isEmpty();
    assertThat(rows(() -> metaData.getImportedKeys(null, "lance", "data"), "FKCOLUMN_NAME"))
        .isEmpty();
  }

  @Test
  void patternsAndNamesMeanWhatJdbcSays() throws SQLException {
    assertThat(tables(null, null, null)).hasSize(11);
    assertThat(tables("", "lance", "%")).hasSize(11);
    assertThat(tables("elsewhere", "lance", "%")).isEmpty();
    assertThat(tables(null, "", "%")).isEmpty(); // every table is in a schema
    assertThat(tables(null, "LANCE", "%")).isEmpty();
    assertThat(tables(null, "l_nc%", "d_ta")).containsExactly("data");
    assertThat(tables(null, "lance", "d\\_ta")).isEmpty();
    assertThat(tables(null, "lance", "")).isEmpty();
    assertThat(tables(null, "lance", "data$rowid\\_%")).containsExactly("data$rowid_segments");
    assertThat(tables(null, "lance", "DATA")).isEmpty();
    // versions and fragments are not listed, and found when they are named
    assertThat(tables(null, "lance", "data@3")).containsExactly("data@3");
    assertThat(tables(null, "lance", "data$fragment_3")).containsExactly("data$fragment_3");
    for (String none :
        List.of("data@99", "data@99$files", "data@no-tag", "data@../data", "data$fragment_99")) {
      assertThat(tables(null, "lance", none)).as(none).isEmpty();
      assertThat(rows(() -> metaData.getBestRowIdentifier(null, "lance", none, 0, true)))
          .as(none)
          .isEmpty();
    }
    assertThat(rows(() -> metaData.getTables(null, null, "%", new String[0]))).isEmpty();
    assertThat(rows(() -> metaData.getColumns(null, null, "data", "\\_rowid"), "COLUMN_NAME"))
        .containsExactly("_rowid");
    assertThat(rows(() -> metaData.getSchemas("elsewhere", null))).isEmpty();
    assertThat(rows(() -> metaData.getSchemas(null, "l%"))).containsExactly("lance|null");
  }

  private static List<String> tables(String catalog, String schema, String name)
      throws SQLException {
    return rows(() -> metaData.getTables(catalog, schema, name, null), "TABLE_NAME");
  }

  @Test
  void rowIdIdentifiesAndVersionTells() throws SQLException {
    int session = DatabaseMetaData.bestRowSession;
    assertThat(rows(() -> metaData.getBestRowIdentifier(null, "lance", "data", session, true)))
        .containsExactly("2|_rowid|-5|BIGINT|19|null|0|2");
    assertThat(rows(() -> metaData.getBestRowIdentifier(null, null, "data", 0, false))).hasSize(1);
    assertThat(rows(() -> metaData.getBestRowIdentifier(null, null, "data$files", 0, true)))
        .isEmpty();
    assertThat(rows(() -> metaData.getVersionColumns(null, "lance", "data")))
        .containsExactly("null|_row_last_updated_at_version|-5|BIGINT|19|null|0|2");
    assertThat(
            rows(
                () -> metaData.getPseudoColumns(null, "lance", "data", "%"),
                "COLUMN_NAME",
                "DATA_TYPE",
                "COLUMN_USAGE",
                "IS_NULLABLE"))
        .containsExactly(
            "_rowid|-5|NO_USAGE_RESTRICTIONS|NO",
            "_rowaddr|-5|NO_USAGE_RESTRICTIONS|NO",
            "_row_created_at_version|-5|NO_USAGE_RESTRICTIONS|NO",
            "_row_last_updated_at_version|-5|NO_USAGE_RESTRICTIONS|NO",
            "_rowoffset|-5|NO_USAGE_RESTRICTIONS|NO",
            "_fragid|-5|NO_USAGE_RESTRICTIONS|NO");
  }

  @Test
  void rowIdsThatMoveIdentifyOnlyForAStatement() throws SQLException {
    try (Sql unstable = Sql.on("versions_unstable_21")) {
      DatabaseMetaData other = unstable.connection().getMetaData();
      assertThat(rows(() -> other.getBestRowIdentifier(null, null, "data", 0, true)))
          .containsExactly("0|_rowid|-5|BIGINT|19|null|0|2");
      assertThat(rows(() -> other.getBestRowIdentifier(null, null, "data", 1, true))).isEmpty();
      assertThat(rows(() -> other.getVersionColumns(null, null, "data"))).isEmpty();
    }
  }

  @Test
  void typesAreToldWithoutInternals() throws SQLException {
    List<String> seen = new ArrayList<>();
    for (String fixture :
        List.of("types_scalar_21", "types_nested_21", "odd_dec256_50_5_21", "odd_map_c_22")) {
      try (Sql types = Sql.on(fixture)) {
        DatabaseMetaData other = types.connection().getMetaData();
        seen.addAll(
            rows(
                () -> other.getColumns(null, null, "data", null),
                "COLUMN_NAME",
                "DATA_TYPE",
                "TYPE_NAME",
                "COLUMN_SIZE",
                "DECIMAL_DIGITS",
                "NUM_PREC_RADIX",
                "CHAR_OCTET_LENGTH"));
      }
    }
    seen.removeIf(row -> row.startsWith("_"));
    assertThat(seen)
        .containsExactly(
            "bool_c|16|BOOLEAN|1|null|null|null",
            "i8|-6|TINYINT|3|0|10|null",
            "i16|5|SMALLINT|5|0|10|null",
            "i32|4|INTEGER|10|0|10|null",
            "i64|-5|BIGINT|19|0|10|null",
            "u8|5|SMALLINT|5|0|10|null",
            "u16|4|INTEGER|10|0|10|null",
            "u32|-5|BIGINT|19|0|10|null",
            "u64|3|DECIMAL|20|0|10|null",
            "f32|7|REAL|7|null|10|null",
            "f64|8|DOUBLE|15|null|10|null",
            "dec10_2|3|DECIMAL|10|2|10|null",
            "dec38_10|3|DECIMAL|38|10|10|null",
            "date32|91|DATE|10|null|null|null",
            "date64|91|DATE|10|null|null|null",
            "t32_s|92|TIME|8|0|null|null",
            "t32_ms|92|TIME|12|3|null|null",
            "t64_us|92|TIME|15|6|null|null",
            "t64_ns|92|TIME|18|9|null|null",
            "ts_second|93|TIMESTAMP|19|0|null|null",
            "ts_second_utc|93|TIMESTAMP WITH LOCAL TIME ZONE|19|0|null|null",
            "ts_millisecond|93|TIMESTAMP|23|3|null|null",
            "ts_millisecond_utc|93|TIMESTAMP WITH LOCAL TIME ZONE|23|3|null|null",
            "ts_microsecond|93|TIMESTAMP|26|6|null|null",
            "ts_microsecond_utc|93|TIMESTAMP WITH LOCAL TIME ZONE|26|6|null|null",
            "ts_nanosecond|93|TIMESTAMP|29|9|null|null",
            "ts_nanosecond_utc|93|TIMESTAMP WITH LOCAL TIME ZONE|29|9|null|null",
            "ts_us_berlin|93|TIMESTAMP WITH LOCAL TIME ZONE|26|6|null|null",
            "dur_ms|-5|BIGINT|19|0|10|null",
            "utf8|12|VARCHAR|2147483647|null|null|2147483647",
            "large_utf8|12|VARCHAR|2147483647|null|null|2147483647",
            "bin|-3|VARBINARY|2147483647|null|null|2147483647",
            "large_bin|-3|VARBINARY|2147483647|null|null|2147483647",
            "fsb4|-2|BINARY|4|null|null|4",
            "i32_nn|4|INTEGER|10|0|10|null",
            "utf8_nn|12|VARCHAR|2147483647|null|null|2147483647",
            "all_null_i32|4|INTEGER|10|0|10|null",
            "all_null_utf8|12|VARCHAR|2147483647|null|null|2147483647",
            "id|-5|BIGINT|19|0|10|null",
            "list_i32|2003|INTEGER ARRAY|null|null|null|null",
            "list_utf8|2003|VARCHAR ARRAY|null|null|null|null",
            "llist_f64|2003|DOUBLE ARRAY|null|null|null|null",
            "list_list_i32|2003|INTEGER ARRAY ARRAY|null|null|null|null",
            "struct_c|2002|ROW(a INTEGER, b VARCHAR)|null|null|null|null",
            "struct_struct|2002|ROW(x ROW(y BIGINT, z REAL), w BOOLEAN)|null|null|null|null",
            "list_struct|2003|ROW(p INTEGER, q VARCHAR) ARRAY|null|null|null|null",
            "struct_list|2002|ROW(l INTEGER ARRAY, n SMALLINT)|null|null|null|null",
            "fsl_f32_8|2003|REAL ARRAY|null|null|null|null",
            "fsl_f32_8_nn|2003|REAL ARRAY|null|null|null|null",
            "fsl_f16_4|2003|REAL ARRAY|null|null|null|null",
            "fsl_f64_3|2003|DOUBLE ARRAY|null|null|null|null",
            "fsl_u8_4|2003|SMALLINT ARRAY|null|null|null|null",
            "id|-5|BIGINT|19|0|10|null",
            "dec256_50_5|3|DECIMAL|38|5|10|null",
            "id|-5|BIGINT|19|0|10|null",
            "map_c|1111|MAP<VARCHAR, INTEGER>|null|null|null|null");
  }

  @Test
  void typeInfoListsTheTypesThereAre() throws SQLException {
    assertThat(
            rows(
                metaData::getTypeInfo,
                "TYPE_NAME",
                "DATA_TYPE",
                "PRECISION",
                "LITERAL_PREFIX",
                "MAXIMUM_SCALE",
                "NUM_PREC_RADIX"))
        .containsExactly(
            "TINYINT|-6|3|null|0|10",
            "BIGINT|-5|19|null|0|10",
            "VARBINARY|-3|2147483647|x'|null|null",
            "BINARY|-2|2147483647|x'|null|null",
            "CHAR|1|2147483647|'|null|null",
            "DECIMAL|3|38|null|38|10",
            "INTEGER|4|10|null|0|10",
            "SMALLINT|5|5|null|0|10",
            "REAL|7|7|null|null|10",
            "DOUBLE|8|15|null|null|10",
            "VARCHAR|12|2147483647|'|null|null",
            "BOOLEAN|16|1|null|null|null",
            "DATE|91|10|DATE '|null|null",
            "TIME|92|18|TIME '|9|null",
            "TIMESTAMP|93|29|TIMESTAMP '|9|null",
            "TIMESTAMP WITH LOCAL TIME ZONE|93|29|TIMESTAMP WITH LOCAL TIME ZONE '|9|null");
  }

  /** Names and order as the documentation of {@link DatabaseMetaData} has them. */
  @Test
  void columnsOfAnswersAreThoseOfJdbc() throws SQLException {
    assertThat(labels(() -> metaData.getPrimaryKeys(null, null, "data")))
        .containsExactly(
            "TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME", "COLUMN_NAME", "KEY_SEQ", "PK_NAME");
    String[] keys = {
      "PKTABLE_CAT",
      "PKTABLE_SCHEM",
      "PKTABLE_NAME",
      "PKCOLUMN_NAME",
      "FKTABLE_CAT",
      "FKTABLE_SCHEM",
      "FKTABLE_NAME",
      "FKCOLUMN_NAME",
      "KEY_SEQ",
      "UPDATE_RULE",
      "DELETE_RULE",
      "FK_NAME",
      "PK_NAME",
      "DEFERRABILITY"
    };
    assertThat(labels(() -> metaData.getImportedKeys(null, null, "data"))).containsExactly(keys);
    assertThat(labels(() -> metaData.getExportedKeys(null, null, "data"))).containsExactly(keys);
    assertThat(labels(() -> metaData.getCrossReference(null, null, "data", null, null, "data")))
        .containsExactly(keys);
    assertThat(labels(() -> metaData.getIndexInfo(null, null, "data", false, true)))
        .containsExactly(
            "TABLE_CAT",
            "TABLE_SCHEM",
            "TABLE_NAME",
            "NON_UNIQUE",
            "INDEX_QUALIFIER",
            "INDEX_NAME",
            "TYPE",
            "ORDINAL_POSITION",
            "COLUMN_NAME",
            "ASC_OR_DESC",
            "CARDINALITY",
            "PAGES",
            "FILTER_CONDITION");
    assertThat(labels(() -> metaData.getColumns(null, null, "data", null)))
        .startsWith("TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME", "COLUMN_NAME", "DATA_TYPE")
        .endsWith("SOURCE_DATA_TYPE", "IS_AUTOINCREMENT", "IS_GENERATEDCOLUMN")
        .hasSize(24);
    assertThat(labels(() -> metaData.getVersionColumns(null, null, "data")))
        .containsExactly(
            "SCOPE",
            "COLUMN_NAME",
            "DATA_TYPE",
            "TYPE_NAME",
            "COLUMN_SIZE",
            "BUFFER_LENGTH",
            "DECIMAL_DIGITS",
            "PSEUDO_COLUMN");
    assertThat(labels(metaData::getTypeInfo)).hasSize(18);
  }

  /** Tools ask for everything there is to ask without arguments; nothing may throw. */
  @Test
  void everyQuestionWithoutArgumentsIsAnswered() throws Exception {
    for (Method method : DatabaseMetaData.class.getMethods()) {
      boolean perType = Arrays.equals(method.getParameterTypes(), new Class<?>[] {int.class});
      if (method.getParameterCount() == 0 || perType) {
        Object answer =
            perType
                ? method.invoke(metaData, ResultSet.TYPE_FORWARD_ONLY)
                : method.invoke(metaData);
        if (!method.getName().equals("getConnection")) {
          assertThat(answer).as(method.getName()).isNotNull();
        }
        if (answer instanceof ResultSet result) {
          result.close();
        }
      }
    }
  }

  @Test
  void whatIsSupportedWorks() throws SQLException {
    assertThat(metaData.getConnection()).isSameAs(sql.connection());
    assertThat(metaData.supportsSubqueriesInQuantifieds()).isTrue();
    assertThat(sql.rows("select max(id) from data where id >= all (select id from data)"))
        .isEqualTo(sql.rows("select max(id) from data"));
    assertThat(metaData.nullsAreSortedHigh()).isTrue();
    assertThat(sql.rows("select x from (values (1), (cast(null as integer))) as t(x) order by x"))
        .containsExactly("1", "null");
    assertThat(metaData.supportsConvert()).isFalse();
    assertThat(metaData.getDefaultTransactionIsolation()).isEqualTo(Connection.TRANSACTION_NONE);
    assertThat(metaData.supportsResultSetHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT)).isTrue();
    assertThat(metaData.supportsResultSetHoldability(ResultSet.CLOSE_CURSORS_AT_COMMIT)).isFalse();
  }

  @Test
  void aDamagedDatasetHidesNoOther(@TempDir Path folder) throws IOException, SQLException {
    Path whole = Sql.fixture("versions_stable_21").resolve("data.lance");
    Sql.copy(whole, folder.resolve("whole.lance"));
    Path damaged = Sql.copy(whole, folder.resolve("damaged.lance"));
    try (Stream<Path> manifests = Files.list(damaged.resolve("_versions"))) {
      for (Path manifest : (Iterable<Path>) manifests::iterator) {
        Files.write(manifest, new byte[10]);
      }
    }
    try (Sql both = Sql.on(folder)) {
      DatabaseMetaData other = both.connection().getMetaData();
      assertThat(rows(() -> other.getTables(null, null, "%", new String[] {"TABLE"}), "TABLE_NAME"))
          .containsExactly("damaged", "whole");
      assertThat(rows(() -> other.getColumns(null, null, "%", "id"), "TABLE_NAME"))
          .containsExactly("whole");
      assertThatThrownBy(() -> other.getColumns(null, null, "damaged", "id"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("damaged.lance");
    }
  }
}
