package io.github.lancecalcite.dataset;

import io.github.lancecalcite.format.PageLayout;
import java.util.Arrays;
import java.util.List;

/**
 * Definition levels of a page, whose layers say what occurs in it, to those of the full form, in
 * which every item layer has one level and every list layer two (see {@code encoding.Structure}).
 */
final class LevelMap {
  private final short[] full;
  private final int maxVisible;
  private final int fullMaxVisible;

  /**
   * @param layers of the page, innermost first
   */
  LevelMap(List<PageLayout.Layer> layers) {
    short[] map = new short[1 + 2 * layers.size()];
    int level = 1;
    int fullLevel = 1;
    int visible = -1;
    int fullVisible = -1;
    for (PageLayout.Layer layer : layers) {
      boolean list = isList(layer);
      if (list && visible < 0) {
        visible = level - 1;
        fullVisible = fullLevel - 1;
      }
      switch (layer) {
        case ALL_VALID_ITEM, ALL_VALID_LIST -> {}
        case NULLABLE_ITEM, NULLABLE_LIST -> map[level++] = (short) fullLevel;
        case EMPTYABLE_LIST -> map[level++] = (short) (fullLevel + 1);
        case NULL_AND_EMPTY_LIST -> {
          map[level++] = (short) fullLevel;
          map[level++] = (short) (fullLevel + 1);
        }
      }
      fullLevel += list ? 2 : 1;
    }
    this.full = Arrays.copyOf(map, level);
    this.maxVisible = visible < 0 ? level - 1 : visible;
    this.fullMaxVisible = visible < 0 ? fullLevel - 1 : fullVisible;
  }

  static boolean isList(PageLayout.Layer layer) {
    return switch (layer) {
      case ALL_VALID_ITEM, NULLABLE_ITEM -> false;
      case ALL_VALID_LIST, NULLABLE_LIST, EMPTYABLE_LIST, NULL_AND_EMPTY_LIST -> true;
    };
  }

  /** Entry d: the level of the full form; as long as the page has levels. */
  short[] full() {
    return full;
  }

  /** Greatest level of the page whose entries own a value. */
  int maxVisible() {
    return maxVisible;
  }

  /** The same in the full form. */
  int fullMaxVisible() {
    return fullMaxVisible;
  }

  /** Whether the page has no level but 0. */
  boolean isTrivial() {
    return full.length == 1;
  }
}
