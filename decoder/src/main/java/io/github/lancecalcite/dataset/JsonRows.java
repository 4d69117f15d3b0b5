package io.github.lancecalcite.dataset;

import io.github.lancecalcite.DecodeException;
import io.github.lancecalcite.encoding.JsonbText;
import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.SchemaField;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.jspecify.annotations.Nullable;

/** Makes the text of JSON values that are stored in binary form. Pure functions. */
final class JsonRows {
  private JsonRows() {}

  static boolean isJson(SchemaField field) {
    return field.logicalType() instanceof LogicalType.Json;
  }

  /**
   * Fills a vector of text from values in binary form.
   *
   * @param nested whether the field is inside of another: there Lance leaves text as it is
   * @param values what was gathered, handed over
   * @param validity bit i: value i is valid; null when all are
   * @throws DecodeException if a value is none
   */
  static void finish(
      boolean nested,
      LeafBuilder values,
      FieldVector vector,
      long @Nullable [] validity,
      BufferAllocator allocator) {
    VarCharVector text = (VarCharVector) vector;
    JsonbText decoder = new JsonbText();
    try (LargeVarBinaryVector binary = new LargeVarBinaryVector("json", allocator)) {
      values.finish(binary, validity);
      int count = binary.getValueCount();
      text.allocateNew(count);
      for (int i = 0; i < count; i++) {
        if (!binary.isNull(i)) {
          byte[] bytes = binary.get(i);
          boolean asItIs = nested && !JsonbText.isBinary(bytes);
          text.setSafe(i, asItIs ? bytes : decoder.decode(bytes, 0, bytes.length));
        }
      }
      text.setValueCount(count);
    }
  }
}
