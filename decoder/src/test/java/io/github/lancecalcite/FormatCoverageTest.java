package io.github.lancecalcite;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.github.lancecalcite.format.proto.Encodings20Proto;
import io.github.lancecalcite.format.proto.Encodings21Proto;
import io.github.lancecalcite.format.proto.File2Proto;
import io.github.lancecalcite.format.proto.RowIdsProto;
import io.github.lancecalcite.format.proto.TableProto;
import io.github.lancecalcite.format.proto.TransactionProto;
import io.github.lancecalcite.fuzz.FixtureFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** FORMAT_COVERAGE.md has a row for every field of the .proto files, and its rows are true. */
class FormatCoverageTest {
  private static final Path REPOSITORY = Path.of(System.getProperty("repo.root", ".."));
  private static final Pattern KEY = Pattern.compile("`([A-Za-z0-9_.]+)` (\\d+)");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final List<FileDescriptor> PROTOS =
      List.of(
          TableProto.getDescriptor(),
          TransactionProto.getDescriptor(),
          RowIdsProto.getDescriptor(),
          File2Proto.getDescriptor(),
          Encodings20Proto.getDescriptor(),
          Encodings21Proto.getDescriptor());

  /** A row about a field. */
  private record Row(String treated, String classes, String fixtures, String tests) {}

  private final List<String> lines;
  private final Map<String, Row> rows = new LinkedHashMap<>();

  FormatCoverageTest() throws IOException {
    lines = Files.readAllLines(REPOSITORY.resolve("FORMAT_COVERAGE.md"));
    String proto = "";
    for (String line : lines) {
      if (line.startsWith("#")) {
        Matcher file = Pattern.compile("`(\\w+)\\.proto`").matcher(line);
        proto = file.find() ? file.group(1) : proto;
      }
      String[] cells = line.split("(?<!\\\\)\\|", -1);
      if (cells.length > 2 && KEY.matcher(cells[1].strip()).matches()) {
        assertThat(cells).as(line).hasSize(7);
        Matcher key = KEY.matcher(cells[1].strip());
        assertThat(key.matches()).isTrue();
        String name = proto + "." + key.group(1) + " = " + key.group(2);
        Row row = new Row(cells[2].strip(), cells[3].strip(), cells[4].strip(), cells[5].strip());
        assertThat(rows.put(name, row)).as("another row for " + name).isNull();
      }
    }
  }

  private static TreeMap<String, String> fields() {
    TreeMap<String, String> fields = new TreeMap<>();
    for (FileDescriptor proto : PROTOS) {
      proto.getMessageTypes().forEach(message -> fields(message, fields));
      proto.getEnumTypes().forEach(type -> values(type, fields));
    }
    return fields;
  }

  private static void fields(Descriptor message, Map<String, String> into) {
    if (message.getOptions().getMapEntry()) {
      return;
    }
    message
        .getFields()
        .forEach(
            field -> into.put(row(field.getFullName(), field.getNumber()), field.getFullName()));
    message.getNestedTypes().forEach(nested -> fields(nested, into));
    message.getEnumTypes().forEach(type -> values(type, into));
  }

  private static void values(EnumDescriptor type, Map<String, String> into) {
    type.getValues()
        .forEach(
            value -> {
              String name = type.getFullName() + "." + value.getName();
              into.put(row(name, value.getNumber()), name);
            });
  }

  /** How the rows name it: file, message, field. */
  private static String row(String fullName, int number) {
    return fullName.substring("lancecalcite.".length()) + " = " + number;
  }

  @Test
  void noProtoFileIsLeftOut() throws IOException {
    try (Stream<Path> files = Files.list(REPOSITORY.resolve("decoder/src/main/proto/lance"))) {
      assertThat(PROTOS.stream().map(FileDescriptor::getName))
          .containsExactlyInAnyOrderElementsOf(
              files.map(file -> "lance/" + file.getFileName()).toList());
    }
  }

  @Test
  void everyFieldAndEncodingHasARowAndNoRowIsMadeUp() {
    assertThat(rows.keySet()).containsExactlyInAnyOrderElementsOf(fields().keySet());
  }

  @Test
  void everyRowSaysWhatBecomesOfItsFieldWhereAndWhichTestHoldsItToThat() throws IOException {
    Set<String> main = classes(REPOSITORY.resolve("decoder/src/main/java"));
    Set<String> tests = classes(REPOSITORY.resolve("decoder/src/test/java"));
    rows.forEach(
        (name, row) -> {
          assertThat(row.treated()).as(name).matches("(read|carried|ignored|refused)\\b.*");
          boolean ignored = row.treated().startsWith("ignored");
          assertThat(row.classes().isEmpty()).as("class of " + name).isFalse();
          assertThat(row.tests().equals("–")).as("test of " + name).isIn(false, ignored);
          assertThat(main).as("classes of " + name).containsAll(quoted(row.classes()));
          assertThat(tests).as("tests of " + name).containsAll(quoted(row.tests()));
        });
  }

  @Test
  void fixturesOfARowHaveItsFieldAndOthersHaveNone() throws IOException {
    Map<String, TreeSet<String>> found = FixtureFields.find();
    Map<String, String> names = fields();
    List<String> wrong = new ArrayList<>();
    rows.forEach(
        (name, row) -> {
          Set<String> proofs = found.getOrDefault(names.getOrDefault(name, ""), new TreeSet<>());
          Set<String> named = quoted(row.fixtures());
          if (named.isEmpty() ? !proofs.isEmpty() : !proofs.containsAll(named)) {
            wrong.add(name + ": " + row.fixtures() + ", but it is in " + proofs);
          }
        });
    assertThat(wrong).isEmpty();
  }

  /** In any row and sentence. */
  @Test
  void namedTestsAndFixturesExist() throws IOException {
    Set<String> tests = new TreeSet<>(classes(REPOSITORY.resolve("decoder/src/test/java")));
    tests.addAll(classes(REPOSITORY.resolve("sql-tests/src/test/java")));
    tests.addAll(classes(REPOSITORY.resolve("sql-tests/src/interop/java")));
    for (String line : lines) {
      for (String name : quoted(line)) {
        if (name.matches("[A-Z]\\w*Test")) {
          assertThat(tests).as(line).contains(name);
        } else if (name.matches("[a-z]\\w*_(01|2[0-3])")) {
          assertThat(Fixtures.names()).as(line).contains(name);
        }
      }
    }
  }

  private static Set<String> quoted(String text) {
    return QUOTED.matcher(text).results().map(match -> match.group(1)).collect(Collectors.toSet());
  }

  private static Set<String> classes(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".java"))
          .map(name -> name.substring(0, name.length() - 5))
          .collect(Collectors.toSet());
    }
  }
}
