package io.github.lancecalcite.examples;

import java.io.PrintStream;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.StringJoiner;

/** Prints result sets as tab-separated lines, the first of them the column labels. */
final class ResultPrinter {
  private ResultPrinter() {}

  /** Prints all rows and returns how many there were. The caller closes the result set. */
  static long print(ResultSet rows, PrintStream out) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    StringJoiner labels = new StringJoiner("\t");
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      labels.add(columns.getColumnLabel(i));
    }
    out.println(labels);
    long count = 0;
    while (rows.next()) {
      StringJoiner values = new StringJoiner("\t");
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        values.add(String.valueOf(rows.getString(i)));
      }
      out.println(values);
      count++;
    }
    return count;
  }
}
