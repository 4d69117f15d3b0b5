package io.github.lancecalcite.calcite;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.CalciteSqlValidator;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlMerge;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SelectScope;
import org.apache.calcite.sql.validate.SqlValidatorNamespace;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.jspecify.annotations.Nullable;

/**
 * Hides system columns where SQL means "all columns": {@code *}, {@code t.*} and the columns that
 * {@code NATURAL JOIN} joins on. Everywhere else they are columns like any other.
 *
 * <p>Only what a Lance table itself adds is hidden: a stored column of such a name, or a system
 * column that a subquery or view selects, is visible.
 */
final class LanceSqlValidator extends CalciteSqlValidator {
  /** Select items of star expansion that wait for removal. */
  private final Set<SqlNode> hiddenItems = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Statements as they came, and with versions in place of times. */
  private final Map<SqlNode, SqlNode> statements = new IdentityHashMap<>();

  LanceSqlValidator(
      SqlOperatorTable operators,
      CalciteCatalogReader catalogReader,
      JavaTypeFactory typeFactory,
      Config config) {
    super(operators, catalogReader, typeFactory, config);
  }

  /** Tables as of a time become tables of a version first, so that nothing later differs. */
  @Override
  public SqlNode validate(SqlNode statement) {
    return super.validate(atVersions(statement));
  }

  /** Calcite asks for these by the statement that it had parsed. */
  @Override
  public RelDataType getValidatedNodeType(SqlNode node) {
    return super.getValidatedNodeType(statements.getOrDefault(node, node));
  }

  @Override
  public @Nullable RelDataType getValidatedNodeTypeIfKnown(SqlNode node) {
    return super.getValidatedNodeTypeIfKnown(statements.getOrDefault(node, node));
  }

  @Override
  public RelDataType getParameterRowType(SqlNode statement) {
    return super.getParameterRowType(atVersions(statement));
  }

  @Override
  public List<@Nullable List<String>> getFieldOrigins(SqlNode statement) {
    return super.getFieldOrigins(atVersions(statement));
  }

  /** The same for the same statement, as all that is known of it hangs on the object. */
  private SqlNode atVersions(SqlNode statement) {
    SqlNode known = statements.get(statement);
    if (known == null) {
      known = SystemTime.resolve(selecting(statement), getCatalogReader());
      statements.put(statement, known);
      statements.put(known, known);
    }
    return known;
  }

  /** {@code TABLE t} as {@code SELECT * FROM t}; Calcite knows it in subqueries only. */
  private static SqlNode selecting(SqlNode statement) {
    if (statement instanceof SqlOrderBy sorted) {
      return new SqlOrderBy(
          sorted.getParserPosition(),
          selecting(sorted.query),
          sorted.orderList,
          sorted.offset,
          sorted.fetch);
    }
    if (statement.getKind() != SqlKind.EXPLICIT_TABLE) {
      return statement;
    }
    SqlParserPos position = statement.getParserPosition();
    return new SqlSelect(
        position,
        null,
        SqlNodeList.of(SqlIdentifier.star(position)),
        ((SqlCall) statement).operand(0),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /** Called for each column of an expanded star, and for nothing else. */
  @Override
  protected void addToSelectList(
      List<SqlNode> list,
      Set<String> aliases,
      List<Map.Entry<String, RelDataType>> fields,
      SqlNode item,
      SelectScope scope,
      boolean includeSystemVars) {
    if (!isHidden(item, scope)) {
      super.addToSelectList(list, aliases, fields, item, scope, includeSystemVars);
    } else if (mergesColumns(scope.getNode().getFrom())) {
      // USING and NATURAL move columns by position in the full list; the item can go only after
      hiddenItems.add(item);
      super.addToSelectList(list, new HashSet<>(), fields, item, scope, includeSystemVars);
    }
  }

  private static boolean mergesColumns(@Nullable SqlNode from) {
    if (!(from instanceof SqlJoin join)) {
      return false;
    }
    return join.isNatural()
        || join.getConditionType() == JoinConditionType.USING
        || mergesColumns(join.getLeft())
        || mergesColumns(join.getRight());
  }

  private boolean isHidden(SqlNode item, SelectScope scope) {
    if (!(item instanceof SqlIdentifier id) || id.names.size() < 2) {
      return false;
    }
    SqlValidatorScope.ResolvedImpl resolved = new SqlValidatorScope.ResolvedImpl();
    List<String> prefix = id.names.subList(0, id.names.size() - 1);
    scope.resolve(prefix, getCatalogReader().nameMatcher(), true, resolved);
    return resolved.count() == 1
        && isHidden(resolved.only().namespace, id.names.get(id.names.size() - 1));
  }

  private static boolean isHidden(@Nullable SqlValidatorNamespace namespace, String column) {
    SqlValidatorTable table = namespace == null ? null : namespace.getTable();
    LanceTable lance = table == null ? null : table.unwrap(LanceTable.class);
    return lance != null && lance.isHidden(column);
  }

  @Override
  protected RelDataType validateSelectList(
      SqlNodeList items, SqlSelect select, RelDataType targetRowType) {
    RelDataType all = super.validateSelectList(items, select, targetRowType);
    SqlNodeList expanded = select.getSelectList();
    if (hiddenItems.isEmpty() || expanded.size() != all.getFieldCount()) {
      return all;
    }
    List<SqlNode> kept = new ArrayList<>();
    List<RelDataTypeField> fields = new ArrayList<>();
    for (int i = 0; i < expanded.size(); i++) {
      if (!hiddenItems.remove(expanded.get(i))) {
        kept.add(expanded.get(i));
        fields.add(all.getFieldList().get(i));
      }
    }
    if (kept.size() == expanded.size()) {
      return all;
    }
    select.setSelectList(new SqlNodeList(kept, expanded.getParserPosition()));
    SelectScope scope = getRawSelectScope(select);
    if (scope != null) {
      scope.setExpandedSelectList(kept);
    }
    return typeFactory.createStructType(fields);
  }

  /** Spells {@code NATURAL JOIN} out as {@code USING} over the columns both sides show. */
  @Override
  protected void validateJoin(SqlJoin join, SqlValidatorScope scope) {
    if (join.isNatural() && join.getConditionType() == JoinConditionType.NONE) {
      SqlValidatorScope joinScope = getJoinScope(join);
      if (joinScope != null) {
        validateFrom(join.getLeft(), getUnknownType(), joinScope);
        validateFrom(join.getRight(), getUnknownType(), joinScope);
        spellOut(join);
      }
    }
    super.validateJoin(join, scope);
  }

  private void spellOut(SqlJoin join) {
    SqlValidatorNamespace left = getNamespace(join.getLeft());
    SqlValidatorNamespace right = getNamespace(join.getRight());
    if (left == null || right == null) {
      return;
    }
    List<String> names =
        new ArrayList<>(
            SqlValidatorUtil.deriveNaturalJoinColumnList(
                getCatalogReader().nameMatcher(), left.getRowType(), right.getRowType()));
    int all = names.size();
    names.removeIf(
        name ->
            !visibleColumns(join.getLeft()).contains(name)
                || !visibleColumns(join.getRight()).contains(name));
    if (names.size() == all) {
      return;
    }
    SqlParserPos position = join.isNaturalNode().getParserPosition();
    join.setOperand(1, SqlLiteral.createBoolean(false, position));
    if (names.isEmpty()) { // a natural join without common columns is a cross join
      join.setOperand(4, JoinConditionType.ON.symbol(position));
      join.setOperand(5, SqlLiteral.createBoolean(true, position));
    } else {
      List<SqlNode> columns = new ArrayList<>();
      names.forEach(name -> columns.add(new SqlIdentifier(name, position)));
      join.setOperand(4, JoinConditionType.USING.symbol(position));
      join.setOperand(5, new SqlNodeList(columns, position));
    }
  }

  /** Also beneath EXPLAIN, where the planner would find no way and tell it at length. */
  @Override
  public void validateInsert(SqlInsert insert) {
    throw LanceFailure.onlyReads("INSERT");
  }

  @Override
  public void validateUpdate(SqlUpdate update) {
    throw LanceFailure.onlyReads("UPDATE");
  }

  @Override
  public void validateDelete(SqlDelete delete) {
    throw LanceFailure.onlyReads("DELETE");
  }

  @Override
  public void validateMerge(SqlMerge merge) {
    throw LanceFailure.onlyReads("MERGE");
  }

  private Set<String> visibleColumns(SqlNode from) {
    Set<String> names = new HashSet<>();
    if (from instanceof SqlJoin join) {
      names.addAll(visibleColumns(join.getLeft()));
      names.addAll(visibleColumns(join.getRight()));
      return names;
    }
    SqlValidatorNamespace namespace = getNamespace(from);
    if (namespace != null) {
      for (String name : namespace.getRowType().getFieldNames()) {
        if (!isHidden(namespace, name)) {
          names.add(name);
        }
      }
    }
    return names;
  }
}
