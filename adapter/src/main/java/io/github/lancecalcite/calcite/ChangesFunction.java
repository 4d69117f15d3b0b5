package io.github.lancecalcite.calcite;

import java.util.List;
import java.util.function.Function;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.FunctionParameter;
import org.apache.calcite.schema.TableMacro;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.util.NlsString;
import org.jspecify.annotations.Nullable;

/**
 * {@code lance_changes(table, from_exclusive, to_inclusive)}: what the commits after one version,
 * up to another, did to the rows of a table.
 */
final class ChangesFunction implements TableMacro {
  /** What SQL calls it. */
  static final String NAME = "lance_changes";

  private static final List<FunctionParameter> PARAMETERS =
      List.of(
          new Parameter(0, "table_name", String.class),
          new Parameter(1, "from_exclusive", long.class),
          new Parameter(2, "to_inclusive", long.class));

  private final Function<String, @Nullable LanceSource> tables;

  /**
   * @param tables leads from a dataset's name to it
   */
  ChangesFunction(Function<String, @Nullable LanceSource> tables) {
    this.tables = tables;
  }

  private record Parameter(int ordinal, String name, Class<?> type) implements FunctionParameter {
    @Override
    public int getOrdinal() {
      return ordinal;
    }

    @Override
    public String getName() {
      return name;
    }

    @Override
    public RelDataType getType(RelDataTypeFactory factory) {
      return factory.createJavaType(type);
    }

    @Override
    public boolean isOptional() {
      return false;
    }
  }

  @Override
  public List<FunctionParameter> getParameters() {
    return PARAMETERS;
  }

  @Override
  public TranslatableTable apply(List<? extends @Nullable Object> arguments) {
    String table = text(arguments.get(0));
    long from = number(arguments.get(1), "from_exclusive");
    long to = number(arguments.get(2), "to_inclusive");
    if (from < 0 || from > to) {
      throw LanceFailure.unsupportedSql(
          NAME + " needs 0 <= from_exclusive <= to_inclusive, not " + from + " and " + to);
    }
    String prefix = LanceDriver.SCHEMA + ".";
    LanceSource source = tables.apply(table);
    if (source == null && table.startsWith(prefix)) {
      source = tables.apply(table.substring(prefix.length()));
    }
    if (source == null) {
      throw LanceFailure.unsupportedSql(NAME + " finds no dataset called " + table);
    }
    return new ChangesTable(source, from, to);
  }

  private static String text(@Nullable Object argument) {
    return argument instanceof NlsString text ? text.getValue() : String.valueOf(argument);
  }

  private static long number(@Nullable Object argument, String name) {
    if (argument instanceof Number number) {
      return number.longValue();
    }
    throw LanceFailure.unsupportedSql(NAME + " needs a version number as " + name);
  }
}
