package io.github.lancecalcite.dataset;

import io.github.lancecalcite.format.LogicalType;
import io.github.lancecalcite.format.SchemaField;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How a struct that is stored as one leaf lies in its values: row by row, the children in order.
 *
 * <p>A row of fixed children is their bytes. Where a child varies in width, so does the row, and
 * such a child is a 32-bit length and its bytes; a null row has no bytes at all.
 *
 * @param children shapes of the stored children
 * @param targets for each of them its place among the children that the struct has now, or −1 if it
 *     was dropped since
 * @param neverNull whether null rows surface as rows of zeros, as blob descriptors of the second
 *     kind do in Lance
 */
record PackedShape(List<LeafShape> children, List<Integer> targets, boolean neverNull) {
  private static final LeafShape BLOB_NUMBER = fixed(64);

  PackedShape {
    children = List.copyOf(children);
    targets = List.copyOf(targets);
  }

  /** Of a struct that still has all its children. */
  private PackedShape(List<LeafShape> children, boolean neverNull) {
    this(children, IntStream.range(0, children.size()).boxed().toList(), neverNull);
  }

  private static LeafShape fixed(int bits) {
    return new LeafShape(LeafShape.Kind.FIXED, bits, List.of(), false);
  }

  /** Position and size of a blob of the first kind. */
  static PackedShape blob() {
    return new PackedShape(List.of(BLOB_NUMBER, BLOB_NUMBER), false);
  }

  /** Kind, position, size, side file and address of a blob of the second kind. */
  static PackedShape blobV2() {
    LeafShape uri = new LeafShape(LeafShape.Kind.VARIABLE, 0, List.of(), false);
    return new PackedShape(List.of(fixed(8), BLOB_NUMBER, BLOB_NUMBER, fixed(32), uri), true);
  }

  /** Shape of a packed struct, or null if it has no children or one that cannot be packed. */
  static @Nullable PackedShape of(SchemaField field) {
    if (!(field.logicalType() instanceof LogicalType.Struct) || field.children().isEmpty()) {
      return null;
    }
    List<LeafShape> children = new ArrayList<>();
    for (SchemaField child : field.children()) {
      LeafShape shape =
          child.logicalType() instanceof LogicalType.Dictionary || JsonRows.isJson(child)
              ? null
              : LeafShape.of(child.logicalType());
      if (shape == null
          || shape.kind() == LeafShape.Kind.NONE
          || (shape.kind() == LeafShape.Kind.FIXED && (bits(shape) & 7) != 0)) {
        return null;
      }
      children.add(shape);
    }
    return new PackedShape(children, false);
  }

  /**
   * Shape of a packed struct as a file holds it, or null if it cannot be packed or the file's does
   * not have what the field has.
   *
   * @param stored the field as of when the file was written, or null if that is not known
   */
  static @Nullable PackedShape of(SchemaField field, @Nullable SchemaField stored) {
    PackedShape now = of(field);
    PackedShape then = stored == null ? now : of(stored);
    if (now == null || then == null || stored == null) {
      return now;
    }
    List<Integer> ids = field.children().stream().map(SchemaField::id).toList();
    List<Integer> targets = new ArrayList<>();
    for (int i = 0; i < stored.children().size(); i++) {
      int target = ids.indexOf(stored.children().get(i).id());
      if (target >= 0 && !now.children().get(target).equals(then.children().get(i))) {
        return null;
      }
      targets.add(target);
    }
    boolean complete = targets.stream().filter(t -> t >= 0).distinct().count() == ids.size();
    return complete ? new PackedShape(then.children(), targets, false) : null;
  }

  private static long bits(LeafShape shape) {
    return (long) shape.itemBits() * shape.itemsPerValue();
  }

  /** Bytes of a child of fixed width. */
  static int bytes(LeafShape shape) {
    return Math.toIntExact(bits(shape) >>> 3);
  }

  /** Whether rows differ in size. */
  boolean variable() {
    return children.stream().anyMatch(child -> child.kind() == LeafShape.Kind.VARIABLE);
  }

  /** Shape of the rows themselves. */
  LeafShape rows() {
    if (variable()) {
      return new LeafShape(LeafShape.Kind.VARIABLE, 0, List.of(), false);
    }
    long bits = 0;
    for (LeafShape child : children) {
      bits += bits(child);
    }
    return fixed(Math.toIntExact(bits));
  }
}
