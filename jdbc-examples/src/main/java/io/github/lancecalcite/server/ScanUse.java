package io.github.lancecalcite.server;

import io.github.lancecalcite.calcite.LanceSchema;
import java.sql.Connection;
import java.sql.SQLException;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.jdbc.CalciteSchema;

/**
 * What scans of datasets hold at a moment.
 *
 * @param scans number of open scans
 * @param bytes of Arrow memory
 */
public record ScanUse(int scans, long bytes) {
  static final ScanUse NONE = new ScanUse(0, 0);

  /** Of the scans of one local connection; none if it is closed. */
  static ScanUse of(Connection connection) {
    ScanUse use = NONE;
    try {
      CalciteSchema root =
          CalciteSchema.from(connection.unwrap(CalciteConnection.class).getRootSchema());
      for (CalciteSchema schema : root.getSubSchemaMap().values()) {
        if (schema.schema instanceof LanceSchema lance) {
          use = use.plus(new ScanUse(lance.openScans(), lance.allocatedBytes()));
        }
      }
    } catch (SQLException e) {
      return NONE;
    }
    return use;
  }

  ScanUse plus(ScanUse other) {
    return new ScanUse(scans + other.scans, bytes + other.bytes);
  }
}
