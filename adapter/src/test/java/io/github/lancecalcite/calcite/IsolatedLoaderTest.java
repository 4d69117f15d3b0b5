package io.github.lancecalcite.calcite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class IsolatedLoaderTest {
  /** As in an application server: our classes in a loader of their own, and no context loader. */
  @Test
  void worksFromAnIsolatedLoaderWithoutAContextLoader() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      thread.setContextClassLoader(null);
      Driver driver =
          (Driver)
              loader.loadClass(LanceDriver.class.getName()).getDeclaredConstructor().newInstance();
      assertThat(driver.getClass()).isNotSameAs(LanceDriver.class);
      String url = "jdbc:lance:" + Sql.fixture("versions_stable_21");
      try (Connection connection = driver.connect(url, new Properties());
          ResultSet result =
              connection
                  .createStatement()
                  .executeQuery("select s, id + 1 from data where _rowid = 47")) {
        assertThat(Sql.rows(result)).containsExactly("w200|201");
      }
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
