package io.github.lancecalcite.calcite;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;

/** Type factory of {@code jdbc:lance:} connections: our type system, and text in UTF-8. */
final class LanceTypeFactory extends JavaTypeFactoryImpl {
  LanceTypeFactory() {
    super(LanceTypeSystem.INSTANCE);
  }

  /** Calcite's own default, ISO-8859-1, refuses literals such as {@code '東京'}. */
  @Override
  public Charset getDefaultCharset() {
    return StandardCharsets.UTF_8;
  }
}
