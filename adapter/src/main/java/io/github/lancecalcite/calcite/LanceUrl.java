package io.github.lancecalcite.calcite;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.BuiltInConnectionProperty;
import org.apache.calcite.avatica.ConnectStringParser;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.jspecify.annotations.Nullable;

/**
 * A connect string taken apart: {@code jdbc:lance:folder}, {@code jdbc:lance:folder;name=value;…}
 * or {@code jdbc:lance:dir=folder;name=value;…}. Further folders are schemas of their own: {@code
 * schema.sales=folder}.
 *
 * @param schemas the folders by name of schema, sorted; the one without a name is {@link
 *     LanceDriver#SCHEMA}
 * @param version version of datasets named without one, −1 for the latest
 * @param properties every other property, checked to be one that Calcite knows
 */
record LanceUrl(Map<String, Path> schemas, long version, Properties properties) {
  static final String PREFIX = "jdbc:lance:";
  static final String DIRECTORY = "dir";
  static final String VERSION = "version";
  static final String SCHEMA_PREFIX = "schema.";

  private static final Pattern STARTS_WITH_PROPERTY =
      Pattern.compile("(?:[A-Za-z]\\w*|schema\\.[^=;/\\\\]+)=.*");
  private static final String FORM = "jdbc:lance:<folder> or jdbc:lance:dir=<folder>;version=<n>";

  /** Calcite's own schema, in every connection. */
  private static final String CALCITE_METADATA = "metadata";

  /**
   * @param info properties given beside the URL; the URL wins
   * @throws SQLException that says what is wrong with the URL
   */
  static LanceUrl parse(String url, Properties info) throws SQLException {
    String rest = url.substring(PREFIX.length());
    if (!rest.isEmpty() && !STARTS_WITH_PROPERTY.matcher(rest).matches()) {
      int end = rest.indexOf(';');
      String folder = end < 0 ? rest : rest.substring(0, end);
      rest =
          DIRECTORY + "=\"" + folder.replace("\"", "\"\"") + "\"" + rest.substring(folder.length());
    }
    Properties all = ConnectStringParser.parse(rest, info);
    String directory = (String) all.remove(DIRECTORY);
    TreeMap<String, String> folders = namedFolders(url, all);
    if (directory != null && !directory.isEmpty()) {
      if (folders.put(LanceDriver.SCHEMA, directory) != null) {
        throw bad(
            url, "two folders for schema " + LanceDriver.SCHEMA + ", the name of that without one");
      }
    } else if (directory != null || folders.isEmpty()) {
      throw bad(url, "no folder; write " + FORM);
    }
    Object version = all.remove(VERSION);
    long number = -1;
    if (version != null) {
      number = TableName.number(version.toString());
      if (number < 1) {
        throw bad(url, "version is not a version number: " + version);
      }
    }
    Properties known = checked(url, all);
    TreeMap<String, Path> schemas = new TreeMap<>();
    for (Map.Entry<String, String> folder : folders.entrySet()) {
      try {
        schemas.put(folder.getKey(), path(folder.getValue()));
      } catch (IllegalArgumentException e) {
        throw bad(url, "not a folder name: " + folder.getValue() + ": " + e.getMessage());
      }
    }
    return new LanceUrl(Collections.unmodifiableMap(schemas), number, known);
  }

  /** Takes the {@code schema.name} properties out. */
  private static TreeMap<String, String> namedFolders(String url, Properties all)
      throws SQLException {
    TreeMap<String, String> folders = new TreeMap<>();
    for (String property : all.stringPropertyNames()) {
      if (!property.startsWith(SCHEMA_PREFIX)) {
        continue;
      }
      String name = property.substring(SCHEMA_PREFIX.length());
      String folder = all.getProperty(property);
      if (name.isEmpty() || folder.isEmpty()) {
        throw bad(
            url, "a name or folder is missing in '" + property + "'; write schema.a=<folder>");
      }
      if (name.equals(CALCITE_METADATA)) {
        throw bad(url, "schema '" + CALCITE_METADATA + "' is Calcite's own; choose another name");
      }
      folders.put(name, folder);
      all.remove(property);
    }
    return folders;
  }

  /** Schema of tables named without one; null when there are several and none is the default. */
  @Nullable String defaultSchema() {
    return schemas.containsKey(LanceDriver.SCHEMA)
        ? LanceDriver.SCHEMA
        : schemas.size() == 1 ? schemas.keySet().iterator().next() : null;
  }

  private static Path path(String directory) {
    return directory.startsWith("file:")
        ? Path.of(java.net.URI.create(directory))
        : Path.of(directory);
  }

  private static Properties checked(String url, Properties all) throws SQLException {
    TreeMap<String, String> names = knownNames();
    Properties known = new Properties();
    for (String name : all.stringPropertyNames()) {
      String spelled = names.get(name);
      if (spelled == null) {
        Set<String> shown = new TreeSet<>(names.values());
        throw bad(url, "unknown property '" + name + "'; known are " + String.join(", ", shown));
      }
      known.setProperty(spelled, all.getProperty(name));
    }
    return known;
  }

  private static TreeMap<String, String> knownNames() {
    TreeMap<String, String> names = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (BuiltInConnectionProperty property : BuiltInConnectionProperty.values()) {
      names.put(property.camelName(), property.camelName());
    }
    for (CalciteConnectionProperty property : CalciteConnectionProperty.values()) {
      names.put(property.camelName(), property.camelName());
    }
    for (String own : new String[] {DIRECTORY, VERSION, "user", "password"}) {
      names.put(own, own);
    }
    return names;
  }

  private static SQLException bad(String url, String why) {
    return new SQLException("bad connect string " + url + ": " + why, "08001");
  }
}
