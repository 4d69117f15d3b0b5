package io.github.lancecalcite.dataset;

import java.util.Locale;

/** What a commit did to a row, spelled as change feeds of other table formats spell it. */
public enum ChangeType {
  /** The row was not there before; its values are the new ones. */
  INSERT,
  /** The row was replaced; its values are those before. */
  UPDATE_PREIMAGE,
  /** The row was replaced; its values are those after. */
  UPDATE_POSTIMAGE,
  /** The row is gone; its values are the last ones. */
  DELETE;

  /** For instance {@code update_preimage}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
