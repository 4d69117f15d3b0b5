package io.github.lancecalcite;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may import whom, as ARCHITECTURE.md says. */
@AnalyzeClasses(
    packages = ArchitectureTest.BASE,
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  static final String BASE = "io.github.lancecalcite";

  @ArchTest static final ArchRule baseImportsNoSibling = mayUse("");

  @ArchTest static final ArchRule ioImportsTheBaseOnly = mayUse("io");

  @ArchTest static final ArchRule encodingImportsTheBaseOnly = mayUse("encoding");

  @ArchTest static final ArchRule formatImportsIo = mayUse("format", "io");

  @ArchTest
  static final ArchRule rowidImportsEncodingAndFormat = mayUse("rowid", "encoding", "format");

  @ArchTest static final ArchRule varlenaImportsEncoding = mayUse("varlena", "encoding");

  @ArchTest
  static final ArchRule nobodyImportsTheDataset =
      noClasses()
          .that(resideInAPackage(BASE + "..").and(not(resideInAPackage(BASE + ".dataset.."))))
          .should()
          .dependOnClassesThat(resideInAPackage(BASE + ".dataset.."));

  @ArchTest
  static final ArchRule roomsAreFreeOfCycles =
      slices().matching(BASE + ".(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule arrowOnlyInVarlenaAndDataset =
      noClasses()
          .that(
              resideInAPackage(BASE + "..")
                  .and(not(resideInAnyPackage(BASE + ".varlena..", BASE + ".dataset.."))))
          .should()
          .dependOnClassesThat(resideInAPackage("org.apache.arrow.."));

  @ArchTest
  static final ArchRule protobufOnlyInFormat =
      noClasses()
          .that(resideInAPackage(BASE + "..").and(not(resideInAPackage(BASE + ".format.."))))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("com.google.protobuf..", BASE + ".format.proto.."));

  @ArchTest
  static final ArchRule noCalciteInTheDecoder =
      noClasses().should().dependOnClassesThat(resideInAPackage("org.apache.calcite.."));

  @ArchTest
  static final ArchRule fileChannelOnlyInIo =
      noClasses()
          .that(resideInAPackage(BASE + "..").and(not(resideInAPackage(BASE + ".io.."))))
          .should()
          .dependOnClassesThat(resideInAPackage("java.nio.channels.."))
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.io.RandomAccessFile")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.io.FileInputStream");

  /** Arrow's accessors that hand out nio buffers fail on a JVM without {@code --add-opens}. */
  @ArchTest
  static final ArchRule noNioViewsOfArrowMemory =
      noClasses()
          .should()
          .callMethod("org.apache.arrow.memory.ArrowBuf", "nioBuffer")
          .orShould()
          .callMethod("org.apache.arrow.memory.ArrowBuf", "nioBuffer", "long", "int")
          .orShould()
          .callMethod("org.apache.arrow.memory.util.MemoryUtil", "directBuffer", "long", "int");

  /** A room may use itself, the base package and these rooms of the decoder, and no other. */
  private static ArchRule mayUse(String room, String... rooms) {
    String self = room.isEmpty() ? BASE : BASE + "." + room + "..";
    DescribedPredicate<JavaClass> allowed =
        resideInAPackage(BASE).or(resideInAPackage(self)).or(not(resideInAPackage(BASE + "..")));
    for (String other : rooms) {
      allowed = allowed.or(resideInAPackage(BASE + "." + other + ".."));
    }
    return classes()
        .that(resideInAPackage(self))
        .should()
        .onlyDependOnClassesThat(
            allowed.as("the base, %s itself and %s", room, String.join(", ", rooms)));
  }

  private static DescribedPredicate<JavaClass> not(DescribedPredicate<JavaClass> predicate) {
    return DescribedPredicate.not(predicate);
  }
}
