package io.github.lancecalcite.calcite;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.SchemaFactory;
import org.apache.calcite.schema.SchemaPlus;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link LanceSchema} from a Calcite model. Operands: {@code directory}, a folder of
 * datasets, relative to the model file; {@code version}, optional, the version of datasets named
 * without one.
 */
public final class LanceSchemaFactory implements SchemaFactory {
  /** Calcite puts the model file's folder here. */
  private static final String BASE_DIRECTORY = "baseDirectory";

  /** Called by Calcite through reflection. */
  public LanceSchemaFactory() {}

  @Override
  public Schema create(SchemaPlus parentSchema, String name, Map<String, Object> operand) {
    Object directory = operand.get("directory");
    if (!(directory instanceof String)) {
      throw new IllegalArgumentException("schema '" + name + "': operand 'directory' is missing");
    }
    Object base = operand.get(BASE_DIRECTORY);
    Path path = Path.of((String) directory);
    if (base instanceof File) {
      path = ((File) base).toPath().resolve(path);
    }
    try {
      return LanceSchema.listed(LanceFolder.open(path, version(name, operand.get("version"))));
    } catch (IOException e) {
      throw LanceFailure.of(e);
    }
  }

  private static long version(String schema, @Nullable Object operand) {
    if (operand == null) {
      return -1;
    }
    long version = TableName.number(operand.toString());
    if (version < 1) {
      throw new IllegalArgumentException(
          "schema '" + schema + "': operand 'version' is not a version number: " + operand);
    }
    return version;
  }
}
