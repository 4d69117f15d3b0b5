package io.github.lancecalcite.calcite;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may import whom. */
class AdapterArchitectureTest {
  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.github.lancecalcite");

  @Test
  void calciteOnlyInTheAdapter() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.github.lancecalcite.calcite..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.calcite..")
        .check(ALL);
  }

  @Test
  void theAdapterEntersTheDecoderByItsFrontDoor() {
    noClasses()
        .that()
        .resideInAPackage("io.github.lancecalcite.calcite..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.github.lancecalcite.encoding..",
            "io.github.lancecalcite.rowid..",
            "io.github.lancecalcite.varlena..",
            "com.google.protobuf..")
        .check(ALL);
  }

  @Test
  void theAdapterIsOneFlatPackage() {
    classes()
        .that()
        .resideInAPackage("io.github.lancecalcite.calcite..")
        .should()
        .resideInAPackage("io.github.lancecalcite.calcite")
        .check(ALL);
  }
}
