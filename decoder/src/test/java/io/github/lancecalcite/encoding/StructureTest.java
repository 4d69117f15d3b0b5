package io.github.lancecalcite.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random nested rows are written to levels by walking them, and must come back. */
class StructureTest {
  private final List<int[]> entries = new ArrayList<>();

  /** A node: null, a leaf, a struct (one child) or a list of nodes. */
  private record Node(boolean valid, List<Node> children) {}

  @Test
  void randomNestedRowsComeBack() {
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      Structure.Layer[] layers = new Structure.Layer[1 + random.nextInt(5)];
      layers[0] = Structure.Layer.ITEM;
      for (int i = 1; i < layers.length; i++) {
        layers[i] = random.nextBoolean() ? Structure.Layer.LIST : Structure.Layer.ITEM;
      }
      List<Node> rows = new ArrayList<>();
      int count = random.nextInt(seed % 4 == 0 ? 300 : 40); // words and their ends
      for (int i = 0; i < count; i++) {
        rows.add(node(random, layers, layers.length - 1));
      }
      check(rows, layers, seed);
    }
  }

  private void check(List<Node> rows, Structure.Layer[] layers, int seed) {
    entries.clear();
    Structure structure = new Structure(layers);
    for (Node row : rows) {
      write(row, layers, layers.length - 1, structure.lists());
    }
    Levels levels = new Levels();
    for (int[] entry : entries) {
      levels.add(entry[0], entry[1]);
    }
    structure.unravel(levels, values(layers));
    List<@Nullable Node> nodes = new ArrayList<>(rows);
    for (int layer = layers.length - 1; layer >= 0; layer--) {
      String what = "seed " + seed + ", layer " + layer + " of " + List.of(layers);
      Structure.Nodes found = structure.nodes(layer);
      assertThat(found.count).as(what).isEqualTo(nodes.size());
      List<@Nullable Node> below = new ArrayList<>();
      for (int i = 0; i < nodes.size(); i++) {
        Node node = nodes.get(i);
        boolean valid = found.validity == null || (found.validity[i >> 6] >>> i & 1) != 0;
        boolean list = layers[layer].kind() == Structure.Kind.LIST;
        if (node != null) { // below a null struct there is a slot of which nothing is said
          assertThat(valid).as(what + ", node " + i).isEqualTo(node.valid());
        }
        if (list) {
          int length = found.offsets[i + 1] - found.offsets[i];
          int expected = node == null || !node.valid() ? 0 : node.children().size();
          assertThat(length).as(what + ", length of list " + i).isEqualTo(expected);
          if (node != null && node.valid()) {
            below.addAll(node.children());
          }
        } else {
          below.add(node == null || !node.valid() ? null : node.children().get(0));
        }
      }
      nodes = below;
    }
  }

  /** Entries that own a value: those whose level is one of the layers inside the innermost list. */
  private int values(Structure.Layer[] layers) {
    int inside = 0;
    while (inside < layers.length && layers[inside].kind() == Structure.Kind.ITEM) {
      inside++;
    }
    int most = inside;
    return (int) entries.stream().filter(entry -> entry[1] <= most).count();
  }

  private static Node node(Random random, Structure.Layer[] layers, int layer) {
    boolean valid = random.nextInt(4) != 0;
    List<Node> children = new ArrayList<>();
    boolean list = layers[layer].kind() == Structure.Kind.LIST;
    int size = list ? random.nextInt(4) : 1;
    for (int i = 0; i < size && valid; i++) {
      children.add(layer == 0 ? new Node(true, List.of()) : node(random, layers, layer - 1));
    }
    return new Node(valid, children);
  }

  /** Writes the entries of a node; the first gets the repetition level {@code rep}. */
  private void write(Node node, Structure.Layer[] layers, int layer, int rep) {
    boolean list = layers[layer].kind() == Structure.Kind.LIST;
    if (!node.valid()) {
      entries.add(new int[] {rep, nullLevel(layers, layer)});
    } else if (layer == 0) {
      entries.add(new int[] {rep, 0});
    } else if (list && node.children().isEmpty()) {
      entries.add(new int[] {rep, nullLevel(layers, layer) + 1});
    } else {
      int inner = 0; // a later item continues this list: lists below begin anew
      for (int i = 0; i < layer; i++) {
        inner += layers[i].kind() == Structure.Kind.LIST ? 1 : 0;
      }
      for (int i = 0; i < node.children().size(); i++) {
        write(node.children().get(i), layers, layer - 1, i == 0 ? rep : inner);
      }
    }
  }

  private static int nullLevel(Structure.Layer[] layers, int layer) {
    int level = 1;
    for (int i = 0; i < layer; i++) {
      level += layers[i].kind() == Structure.Kind.LIST ? 2 : 1;
    }
    return level;
  }
}
