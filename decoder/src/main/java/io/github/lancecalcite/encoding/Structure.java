package io.github.lancecalcite.encoding;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Turns the levels of a leaf into the validity and the list lengths of the leaf and its ancestors.
 *
 * <p>Levels are in full form: walking from the leaf outwards, every item layer (leaf, struct,
 * fixed-size list of struct) has one definition level (null), every list layer two (null, empty),
 * numbered from 1. Level 0 is a valid leaf. A repetition level r ≥ 1 begins a new list at the r-th
 * list layer from the inside. An entry's definition level names the outermost layer at which the
 * path from the row down to the item breaks off.
 *
 * <p>Equals: for each layer, for each entry that begins a node of the layer, emit the node.
 */
public final class Structure {
  /** What a layer is. */
  public enum Kind {
    ITEM,
    LIST
  }

  /**
   * @param step entries that make one value: the size of a fixed-size list of struct, otherwise 1
   */
  public record Layer(Kind kind, int step) {
    /** A leaf or a struct. */
    public static final Layer ITEM = new Layer(Kind.ITEM, 1);

    /** A list of any offset width, or a map. */
    public static final Layer LIST = new Layer(Kind.LIST, 1);
  }

  /** The nodes of one layer. Scratch of the structure, valid until the next unravelling. */
  public static final class Nodes {
    /** Number of nodes. */
    public int count;

    /** Bit i: node i is valid. Null when all are. */
    public long @Nullable [] validity;

    /** For lists: node i has items {@code [offsets[i], offsets[i + 1])}. */
    public int[] offsets = new int[0];

    private long[] words = new long[1];

    private void begin(int most, boolean list) {
      count = 0;
      int n = (most + 63) >>> 6;
      if (words.length < n) {
        words = new long[n];
      } else {
        Arrays.fill(words, 0, n, 0L);
      }
      if (list && offsets.length <= most) {
        offsets = new int[most + 1];
      }
    }

    /** All valid. */
    private void valid(int all) {
      count = all;
      validity = null;
    }

    private void add(boolean valid) {
      if (valid) {
        words[count >>> 6] |= 1L << count;
      }
      count++;
    }

    private void end() {
      boolean all = true;
      for (int i = 0; i < count >>> 6 && all; i++) {
        all = words[i] == -1L;
      }
      int tail = count & 63;
      if (tail != 0) {
        all = all && words[count >>> 6] == -1L >>> (64 - tail);
      }
      validity = all ? null : words;
    }
  }

  /** What entries of a definition level are to a layer, as bits: a node of it, … */
  private static final int NODE = 1;

  /** … which is null. */
  private static final int NULL = 2;

  private static final long ITEM_STEP = 1L << 32;

  private final Layer[] layers;
  private final Nodes[] nodes;

  /** For each definition level, list layers at or inside the layer that owns it. */
  private final int[] own;

  private final int lists;

  /**
   * @param layers innermost first
   */
  public Structure(Layer... layers) {
    this.layers = layers.clone();
    this.nodes = new Nodes[layers.length];
    int levels = 1;
    int m = 0;
    for (int i = 0; i < layers.length; i++) {
      nodes[i] = new Nodes();
      levels += layers[i].kind() == Kind.LIST ? 2 : 1;
      m += layers[i].kind() == Kind.LIST ? 1 : 0;
    }
    this.lists = m;
    this.own = new int[levels];
    int level = 1;
    m = 0;
    for (Layer layer : layers) {
      if (layer.kind() == Kind.LIST) {
        m++;
        own[level++] = m;
        own[level++] = m;
      } else {
        own[level++] = m;
      }
    }
  }

  /** Number of list layers: the repetition level with which a row begins. */
  public int lists() {
    return lists;
  }

  /** Greatest definition level in full form. */
  public int maxDefinition() {
    return own.length - 1;
  }

  /** The nodes of a layer, counted from the inside. */
  public Nodes nodes(int layer) {
    return nodes[layer];
  }

  /**
   * Works out the nodes of all layers. The entries are whole rows.
   *
   * @param values number of entries whose definition level belongs to the innermost layers that are
   *     no list: those that own a value
   */
  public void unravel(Levels levels, int values) {
    int c = 0;
    int m = 0;
    int step = 1;
    for (int i = 0; i < layers.length; i++) {
      if (layers[i].kind() == Kind.ITEM) {
        step = Math.multiplyExact(step, layers[i].step());
        if (lists == 0 && levels.isZero()) {
          nodes[i].valid(nodesOf(levels.count, step));
        } else if (lists == 0) {
          flatItems(levels, nodes[i], c, step);
        } else if (m == 0 && step == 1 && !mayHaveNulls(levels, c, m)) {
          nodes[i].valid(values);
        } else {
          items(levels, nodes[i], c, m, step);
        }
        c += 1;
      } else {
        lists(levels, nodes[i], c, m);
        c += 2;
        m += 1;
      }
    }
  }

  /** Whether nodes of an item layer may be null, or below a null that is of no list. */
  private boolean mayHaveNulls(Levels levels, int c, int m) {
    int end = c + 1;
    while (end < own.length && own[end] <= m) {
      end++;
    }
    return levels.mayHave(c + 1, end);
  }

  private static int nodesOf(int entries, int step) {
    return (int) ((entries + step - 1L) / step);
  }

  /** As {@link #items}, where there is no list: every step-th entry begins a node. */
  private static void flatItems(Levels levels, Nodes out, int c, int step) {
    out.begin(levels.count, false);
    short[] def = levels.def;
    int count = nodesOf(levels.count, step);
    long[] words = out.words;
    int k = 0;
    for (int node = 0; node < count; ) {
      int stop = Math.min(Long.SIZE, count - node);
      long nulls = 0;
      int bit = 0;
      if (step == 1) {
        for (; bit + 8 <= stop; bit += 8, k += 8) {
          nulls |= (long) eightAbove(def, k, c) << bit;
        }
      }
      for (; bit < stop; bit++, k += step) {
        nulls |= (long) (c - def[k] >>> 31) << bit;
      }
      words[node >>> 6] = ~nulls & -1L >>> Long.SIZE - stop;
      node += stop;
    }
    out.count = count;
    out.end();
  }

  /** Bit i: level {@code k + i} is above c. Without a branch: no processor foretells nulls. */
  private static int eightAbove(short[] def, int k, int c) {
    return c - def[k] >>> 31
        | c - def[k + 1] >>> 31 << 1
        | c - def[k + 2] >>> 31 << 2
        | c - def[k + 3] >>> 31 << 3
        | c - def[k + 4] >>> 31 << 4
        | c - def[k + 5] >>> 31 << 5
        | c - def[k + 6] >>> 31 << 6
        | c - def[k + 7] >>> 31 << 7;
  }

  private void items(Levels levels, Nodes out, int c, int m, int step) {
    out.begin(levels.count, false);
    if (step > 1) {
      itemsOfSteps(levels, out, c, m, step);
      return;
    }
    int[] kinds = new int[own.length];
    for (int d = 0; d < kinds.length; d++) {
      kinds[d] = own[d] > m ? 0 : d <= c ? NODE : NODE | NULL;
    }
    short[] rep = levels.rep;
    short[] def = levels.def;
    int count = 0;
    int nulls = 0;
    for (int k = 0; k < levels.count; k++) {
      int kind = kinds[def[k]] & (rep[k] - m >> 31 ^ -1); // 0 where rep[k] < m
      count += kind & NODE;
      nulls |= kind;
    }
    out.valid(count);
    if ((nulls & NULL) != 0) {
      addNodes(levels, out, kinds, m);
    }
  }

  private void itemsOfSteps(Levels levels, Nodes out, int c, int m, int step) {
    short[] rep = levels.rep;
    short[] def = levels.def;
    int skip = 0;
    for (int k = 0; k < levels.count; k++) {
      int d = def[k];
      if ((m == 0 || rep[k] >= m) && own[d] <= m) {
        if (skip == 0) {
          out.add(d <= c);
          skip = step;
        }
        skip--;
      }
    }
    out.end();
  }

  private void lists(Levels levels, Nodes out, int c, int m) {
    out.begin(levels.count, true);
    int nullLevel = c + 1;
    int greatest = c + 2; // a level beyond belongs to an outer layer, which is null
    int[] kinds = new int[own.length];
    long[] steps = new long[own.length]; // nodes in the low half, items in the high one
    for (int d = 0; d < kinds.length; d++) {
      int node = own[d] <= m + 1 ? NODE : 0;
      kinds[d] = node | (d == nullLevel || d > greatest ? node * NULL : 0);
      steps[d] = node | (own[d] <= m ? ITEM_STEP : 0);
    }
    long[] masks = new long[lists + 1];
    Arrays.fill(masks, m, masks.length, -1L);
    masks[m] = -ITEM_STEP; // goes on with a list
    short[] rep = levels.rep;
    short[] def = levels.def;
    int[] offsets = out.offsets;
    long done = 0;
    for (int k = 0; k < levels.count; k++) {
      offsets[(int) done] = (int) (done >>> 32); // of the next node, until there is one
      done += steps[def[k]] & masks[rep[k]];
    }
    int count = (int) done;
    offsets[count] = (int) (done >>> 32);
    out.valid(count);
    if (levels.mayHave(nullLevel, nullLevel + 1) || levels.mayHave(greatest + 1, own.length)) {
      addNodes(levels, out, kinds, m + 1);
    }
  }

  /** The validity of nodes some of which are null: those that begin at a repetition level. */
  private static void addNodes(Levels levels, Nodes out, int[] kinds, int begin) {
    out.count = 0;
    for (int k = 0; k < levels.count; k++) {
      int kind = kinds[levels.def[k]];
      if (levels.rep[k] >= begin && (kind & NODE) != 0) {
        out.add((kind & NULL) == 0);
      }
    }
    out.end();
  }
}
