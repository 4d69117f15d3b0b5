package io.github.lancecalcite.calcite;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaFactory;
import org.apache.calcite.avatica.DriverVersion;
import org.apache.calcite.avatica.Handler;
import org.apache.calcite.avatica.HandlerImpl;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.jdbc.CalciteFactory;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.jdbc.Driver;
import org.jspecify.annotations.Nullable;

/**
 * JDBC driver for folders of Lance datasets.
 *
 * <p>{@code jdbc:lance:/data} connects to the datasets in {@code /data}; {@code
 * jdbc:lance:dir=/data;version=5} sees them as of version 5. Folders may be relative. Any property
 * of Calcite may follow; unknown ones are refused.
 *
 * <p>{@code jdbc:lance:schema.a=/data;schema.b=/more} connects to several folders, a schema each,
 * and so does {@code jdbc:lance:/data;schema.b=/more}; without a folder that has no name, tables of
 * several schemas are named with theirs, or {@code schema=a} tells the default.
 *
 * <p>Names are quoted with double quotes, keep their case and are compared exactly. The datasets
 * are the tables of the default schema, {@value #SCHEMA}. {@code SELECT *} leaves the system
 * columns out; they can be named wherever a column can.
 *
 * <p>Closing a connection ends its open scans and releases their memory.
 */
public final class LanceDriver extends Driver {
  /** Name of the schema that holds the datasets. */
  public static final String SCHEMA = "lance";

  static {
    new LanceDriver().register();
  }

  /** Called by {@link java.util.ServiceLoader}. */
  public LanceDriver() {}

  @Override
  protected String getConnectStringPrefix() {
    return LanceUrl.PREFIX;
  }

  @Override
  protected DriverVersion createDriverVersion() {
    return new DriverVersion("lance-jdbc", "0.1.0", "Lance", "0.1.0", true, 0, 1, 0, 1);
  }

  @Override
  protected AvaticaFactory createFactory() {
    return new LanceFactory();
  }

  @Override
  public CalcitePrepare createPrepare() {
    return new LancePrepare();
  }

  /** Beneath Calcite's own handler would load a model; the schema is made by {@link #connect}. */
  @Override
  protected Handler createHandler() {
    return new HandlerImpl() {
      @Override
      public void onConnectionClose(AvaticaConnection connection) {
        closeSchemas(CalciteSchema.from(((CalciteConnection) connection).getRootSchema()));
      }
    };
  }

  @Override
  public Meta createMeta(AvaticaConnection connection) {
    return CatalogMetadata.over(super.createMeta(connection), connection);
  }

  @Override
  public @Nullable Connection connect(String url, Properties info) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    LanceUrl parsed = LanceUrl.parse(url, info);
    // not Calcite's caching root: it would resolve only the names a schema can list; and not its
    // schema of metadata, which goes around CatalogMetadata
    CalciteSchema root = CalciteSchema.createRootSchema(false, false);
    try {
      for (Map.Entry<String, Path> schema : parsed.schemas().entrySet()) {
        LanceFolder folder = LanceFolder.open(schema.getValue(), parsed.version());
        root.add(schema.getKey(), LanceSchema.direct(folder));
      }
      AvaticaConnection connection =
          ((CalciteFactory) factory)
              .newConnection(
                  this,
                  factory,
                  url,
                  withDefaults(parsed.properties()),
                  root,
                  new LanceTypeFactory());
      handler.onConnectionInit(connection);
      if (connection.getSchema() == null && parsed.defaultSchema() != null) {
        connection.setSchema(parsed.defaultSchema());
      }
      return OneLineErrors.around(connection);
    } catch (IOException e) {
      closeSchemas(root);
      throw LanceFailure.sqlException(e);
    } catch (RuntimeException | SQLException e) {
      closeSchemas(root);
      throw e;
    }
  }

  private static Properties withDefaults(Properties given) {
    Properties info = new Properties();
    put(info, CalciteConnectionProperty.QUOTING, "DOUBLE_QUOTE");
    put(info, CalciteConnectionProperty.UNQUOTED_CASING, "UNCHANGED");
    put(info, CalciteConnectionProperty.QUOTED_CASING, "UNCHANGED");
    put(info, CalciteConnectionProperty.CASE_SENSITIVE, "true");
    put(info, CalciteConnectionProperty.CONFORMANCE, "LENIENT");
    put(info, CalciteConnectionProperty.DEFAULT_NULL_COLLATION, NullCollation.HIGH.name());
    put(info, CalciteConnectionProperty.TYPE_SYSTEM, LanceTypeSystem.class.getName() + "#INSTANCE");
    info.putAll(given);
    return info;
  }

  private static void put(Properties info, CalciteConnectionProperty property, String value) {
    info.setProperty(property.camelName(), value);
  }

  private static void closeSchemas(CalciteSchema root) {
    for (CalciteSchema schema : root.getSubSchemaMap().values()) {
      if (schema.schema instanceof LanceSchema lance) {
        lance.close();
      }
    }
  }
}
