package io.github.lancecalcite.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestNamingTest {
  @Test
  void bothSchemesAreDecoded() {
    assertThat(ManifestNaming.version("1.manifest")).hasValue(1);
    assertThat(ManifestNaming.version("12345.manifest")).hasValue(12345);
    assertThat(ManifestNaming.version("18446744073709551614.manifest")).hasValue(1);
    assertThat(ManifestNaming.version("18446744073709551515.manifest")).hasValue(100);
    assertThat(ManifestNaming.version("09223372036854775808.manifest")).hasValue(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".manifest",
        "0.manifest",
        "-1.manifest",
        "+1.manifest",
        " 1.manifest",
        "1.manifest.tmp",
        ".tmp_1.manifest_8d3c",
        ".tmp_1.manifest",
        "d9223372036854775809.manifest",
        "d18446744073709551614.manifest",
        "latest_version_hint.json",
        "18446744073709551615.manifest",
        "09223372036854775807.manifest",
        "00000000000000000001.manifest",
        "99999999999999999999.manifest",
        "123456789012345678901.manifest",
        "١.manifest",
        "1.MANIFEST",
      })
  void detachedAndStrangersAreNoVersions(String name) {
    assertThat(ManifestNaming.version(name)).isEqualTo(OptionalLong.empty());
  }

  @Test
  void longHistoriesAreDescribedInRuns() {
    TreeMap<Long, String> versions = new TreeMap<>();
    assertThat(ManifestNaming.describe(versions)).isEqualTo("there are no versions");
    for (long version : new long[] {1, 2, 3, 5, 7, 8}) {
      versions.put(version, "");
    }
    assertThat(ManifestNaming.describe(versions)).isEqualTo("versions 1 to 3, 5, 7 to 8");
  }
}
