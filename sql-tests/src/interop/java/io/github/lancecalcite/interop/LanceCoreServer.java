package io.github.lancecalcite.interop;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;
import org.lance.schema.ColumnAlteration;
import org.lance.schema.SqlExpressions;

/**
 * The process that lance-core runs in, because its faults can take a whole JVM with them. {@link
 * LanceCoreProcess} is the other side.
 *
 * <p>A request is a count and as many texts, the first of them the command; an answer is whether it
 * succeeded and, if not, why. Rows travel in Arrow IPC files.
 */
final class LanceCoreServer {
  private static final int MESSAGE_CHARS = 500;

  private LanceCoreServer() {}

  public static void main(String[] args) throws IOException {
    // lance-core may print; the answers need their stream for themselves
    DataOutputStream answers = new DataOutputStream(new FileOutputStream(FileDescriptor.out));
    System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true));
    DataInputStream requests = new DataInputStream(System.in);
    while (true) {
      String[] request;
      try {
        request = new String[requests.readInt()];
      } catch (EOFException e) {
        return;
      }
      for (int i = 0; i < request.length; i++) {
        request[i] = requests.readUTF();
      }
      String failure = failure(request);
      answers.writeBoolean(failure == null);
      answers.writeUTF(failure == null ? "" : failure);
      answers.flush();
    }
  }

  @SuppressWarnings("CatchAndPrintStackTrace")
  private static @org.jspecify.annotations.Nullable String failure(String[] request) {
    try (BufferAllocator allocator = new RootAllocator()) {
      run(allocator, request);
      return null;
    } catch (Exception | AssertionError e) {
      e.printStackTrace();
      String message = e.getClass().getSimpleName() + ": " + e.getMessage();
      return message.substring(0, Math.min(MESSAGE_CHARS, message.length()));
    }
  }

  private static void run(BufferAllocator allocator, String[] args) throws Exception {
    String uri = args[1];
    switch (args[0]) {
      case "create", "append", "overwrite" -> {
        try (ArrowFileReader rows = open(allocator, args[2])) {
          LanceWriter writer = writer(allocator, uri, rows, args[3], Boolean.parseBoolean(args[4]));
          int rowsPerFile = Integer.parseInt(args[5]);
          switch (args[0]) {
            case "create" -> writer.create(rows, rowsPerFile);
            case "append" -> writer.append(rows, rowsPerFile);
            default -> writer.overwrite(rows, rowsPerFile);
          }
        }
      }
      case "restore" ->
          on(
              allocator,
              uri,
              dataset -> {
                try (Dataset then = dataset.checkoutVersion(Long.parseLong(args[2]))) {
                  then.restore();
                }
              });
      case "upsert" -> {
        try (ArrowFileReader rows = open(allocator, args[2])) {
          writer(allocator, uri, rows, "", false).upsert(args[3], rows);
        }
      }
      case "delete" -> on(allocator, uri, dataset -> dataset.delete(args[2]));
      case "compact" ->
          new LanceWriter(allocator, uri, new Schema(List.of()), "", false)
              .compact(Long.parseLong(args[2]));
      case "add" ->
          on(
              allocator,
              uri,
              dataset ->
                  dataset.addColumns(
                      new SqlExpressions.Builder().withExpression(args[2], args[3]).build(),
                      Optional.empty()));
      case "addNull" -> {
        try (ArrowFileReader rows = open(allocator, args[2])) {
          Schema schema = rows.getVectorSchemaRoot().getSchema();
          on(allocator, uri, dataset -> dataset.addColumns(schema));
        }
      }
      case "drop" -> on(allocator, uri, dataset -> dataset.dropColumns(List.of(args[2])));
      case "rename" ->
          on(
              allocator,
              uri,
              dataset ->
                  dataset.alterColumns(
                      List.of(new ColumnAlteration.Builder(args[2]).rename(args[3]).build())));
      case "cast" -> {
        try (ArrowFileReader rows = open(allocator, args[3])) {
          Field to = rows.getVectorSchemaRoot().getSchema().getFields().get(0);
          on(
              allocator,
              uri,
              dataset ->
                  dataset.alterColumns(
                      List.of(new ColumnAlteration.Builder(args[2]).castTo(to.getType()).build())));
        }
      }
      case "scan" -> scan(allocator, args);
      case "take" -> take(allocator, args);
      default -> throw new IllegalArgumentException("no command " + args[0]);
    }
  }

  private static ArrowFileReader open(BufferAllocator allocator, String file) throws IOException {
    return new AlignedRowsReader(allocator, Path.of(file));
  }

  private static LanceWriter writer(
      BufferAllocator allocator, String uri, ArrowReader rows, String version, boolean stable)
      throws IOException {
    Schema schema = rows.getVectorSchemaRoot().getSchema();
    return new LanceWriter(allocator, uri, schema, version, stable);
  }

  private static void on(BufferAllocator allocator, String uri, LanceWriter.Action action)
      throws IOException {
    new LanceWriter(allocator, uri, new Schema(List.of()), "", false).on(action);
  }

  /** scan, uri, version, file to write, columns … */
  private static void scan(BufferAllocator allocator, String[] args) throws Exception {
    List<String> columns = List.of(args).subList(4, args.length);
    ScanOptions options = new ScanOptions.Builder().columns(columns).build();
    try (Dataset latest = Dataset.open(args[1], allocator);
        Dataset dataset = latest.checkoutVersion(Long.parseLong(args[2]));
        LanceScanner scanner = dataset.newScan(options);
        ArrowReader reader = scanner.scanBatches()) {
      write(allocator, reader, Path.of(args[3]));
    }
  }

  /** take, uri, version, file to write, number of rows, rows …, columns … */
  private static void take(BufferAllocator allocator, String[] args) throws Exception {
    List<Long> rows = new ArrayList<>();
    int columns = 5 + Integer.parseInt(args[4]);
    for (int i = 5; i < columns; i++) {
      rows.add(Long.parseLong(args[i]));
    }
    try (Dataset latest = Dataset.open(args[1], allocator);
        Dataset dataset = latest.checkoutVersion(Long.parseLong(args[2]));
        ArrowReader reader = dataset.take(rows, List.of(args).subList(columns, args.length))) {
      write(allocator, reader, Path.of(args[3]));
    }
  }

  /** Dictionary columns as their values: what a value is, and not how it is held, is compared. */
  private static void write(BufferAllocator allocator, ArrowReader reader, Path file)
      throws IOException {
    List<Field> fields = new ArrayList<>();
    for (Field field : reader.getVectorSchemaRoot().getSchema().getFields()) {
      fields.add(field.getDictionary() == null ? field : valueField(reader, field));
    }
    try (FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        VectorSchemaRoot out = VectorSchemaRoot.create(new Schema(fields), allocator);
        ArrowFileWriter writer = new ArrowFileWriter(out, null, channel)) {
      while (reader.loadNextBatch()) {
        VectorSchemaRoot in = reader.getVectorSchemaRoot();
        for (int c = 0; c < fields.size(); c++) {
          move(allocator, reader, in.getVector(c), out.getVector(c));
        }
        out.setRowCount(in.getRowCount());
        writer.writeBatch();
      }
    }
  }

  private static Field valueField(ArrowReader reader, Field field) throws IOException {
    Dictionary dictionary = reader.getDictionaryVectors().get(field.getDictionary().getId());
    return new Field(
        field.getName(),
        new FieldType(field.isNullable(), dictionary.getVectorType(), null),
        dictionary.getVector().getField().getChildren());
  }

  private static void move(
      BufferAllocator allocator, ArrowReader reader, FieldVector from, FieldVector to)
      throws IOException {
    if (from.getField().getDictionary() == null) {
      from.makeTransferPair(to).transfer();
      return;
    }
    Dictionary dictionary =
        reader.getDictionaryVectors().get(from.getField().getDictionary().getId());
    try (ValueVector values = DictionaryEncoder.decode(from, dictionary, allocator)) {
      values.makeTransferPair(to).transfer();
    }
  }
}
