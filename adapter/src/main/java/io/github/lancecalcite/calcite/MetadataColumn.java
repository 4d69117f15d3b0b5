package io.github.lancecalcite.calcite;

import java.time.Instant;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** A column of a {@link MetadataTable}. */
record MetadataColumn(String name, Kind kind, boolean nullable) {
  /** The types that metadata needs. */
  enum Kind {
    BIGINT,
    INTEGER,
    BOOLEAN,
    TEXT,
    /** Of the runtime's milliseconds. */
    INSTANT,
    TEXTS,
    BIGINTS,
    INTEGERS,
    /** Text by text. */
    PROPERTIES
  }

  static MetadataColumn bigint(String name) {
    return new MetadataColumn(name, Kind.BIGINT, false);
  }

  static MetadataColumn integer(String name) {
    return new MetadataColumn(name, Kind.INTEGER, false);
  }

  static MetadataColumn bool(String name) {
    return new MetadataColumn(name, Kind.BOOLEAN, false);
  }

  static MetadataColumn text(String name) {
    return new MetadataColumn(name, Kind.TEXT, false);
  }

  static MetadataColumn instant(String name) {
    return new MetadataColumn(name, Kind.INSTANT, false);
  }

  static MetadataColumn texts(String name) {
    return new MetadataColumn(name, Kind.TEXTS, false);
  }

  static MetadataColumn bigints(String name) {
    return new MetadataColumn(name, Kind.BIGINTS, false);
  }

  static MetadataColumn integers(String name) {
    return new MetadataColumn(name, Kind.INTEGERS, false);
  }

  static MetadataColumn properties(String name) {
    return new MetadataColumn(name, Kind.PROPERTIES, false);
  }

  /** The same column, which may be NULL. */
  MetadataColumn orNull() {
    return new MetadataColumn(name, kind, true);
  }

  RelDataType type(RelDataTypeFactory factory) {
    return factory.createTypeWithNullability(notNull(factory), nullable);
  }

  private RelDataType notNull(RelDataTypeFactory factory) {
    return switch (kind) {
      case BIGINT -> factory.createSqlType(SqlTypeName.BIGINT);
      case INTEGER -> factory.createSqlType(SqlTypeName.INTEGER);
      case BOOLEAN -> factory.createSqlType(SqlTypeName.BOOLEAN);
      case TEXT -> factory.createSqlType(SqlTypeName.VARCHAR);
      case INSTANT -> factory.createSqlType(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, 3);
      case TEXTS -> factory.createArrayType(factory.createSqlType(SqlTypeName.VARCHAR), -1);
      case BIGINTS -> factory.createArrayType(factory.createSqlType(SqlTypeName.BIGINT), -1);
      case INTEGERS -> factory.createArrayType(factory.createSqlType(SqlTypeName.INTEGER), -1);
      case PROPERTIES ->
          factory.createMapType(
              factory.createSqlType(SqlTypeName.VARCHAR),
              factory.createSqlType(SqlTypeName.VARCHAR));
    };
  }

  /** A point in time as an {@link Kind#INSTANT} holds it. */
  static @Nullable Long millis(@Nullable Instant instant) {
    return instant == null ? null : instant.toEpochMilli();
  }
}
