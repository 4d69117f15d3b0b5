package io.github.lancecalcite.calcite;

import java.util.TimeZone;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.schema.SchemaPlus;
import org.jspecify.annotations.Nullable;

/**
 * What a running statement knows. Unless its connection names a zone it is in UTC: the zone of
 * CURRENT_TIMESTAMP and of what turns wall clocks into instants and back. The same statement then
 * means the same on every machine.
 */
final class SessionZone implements DataContext {
  private static final TimeZone UTC = TimeZone.getTimeZone("UTC");

  private final DataContext context;

  /** Whether the connection has a zone of its own. */
  private final boolean zoned;

  private final Deadline deadline = Deadline.current();

  SessionZone(DataContext context, boolean zoned) {
    this.context = context;
    this.zoned = zoned;
  }

  Deadline deadline() {
    return deadline;
  }

  @Override
  public @Nullable SchemaPlus getRootSchema() {
    return context.getRootSchema();
  }

  @Override
  public JavaTypeFactory getTypeFactory() {
    return context.getTypeFactory();
  }

  @Override
  public QueryProvider getQueryProvider() {
    return context.getQueryProvider();
  }

  @Override
  public @Nullable Object get(String name) {
    if (zoned) {
      return context.get(name);
    }
    if (name.equals(Variable.TIME_ZONE.camelName)) {
      return UTC;
    }
    boolean now =
        name.equals(Variable.CURRENT_TIMESTAMP.camelName)
            || name.equals(Variable.LOCAL_TIMESTAMP.camelName);
    return context.get(now ? Variable.UTC_TIMESTAMP.camelName : name);
  }
}
