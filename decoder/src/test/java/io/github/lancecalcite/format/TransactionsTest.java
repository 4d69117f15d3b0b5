package io.github.lancecalcite.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.Fixtures;
import io.github.lancecalcite.NotFoundException;
import io.github.lancecalcite.format.proto.TransactionProto;
import io.github.lancecalcite.io.LocalStorage;
import io.github.lancecalcite.io.PositionalReader;
import io.github.lancecalcite.io.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransactionsTest {
  private static final String DELETE = "2-89bbd080-21aa-4d32-8884-765b1d5ac9f2.txn";

  @TempDir Path folder;

  @Test
  void everyFileOfTheFixturesSaysWhatTheManifestSays() throws IOException {
    int compared = 0;
    for (String fixture : Fixtures.names()) {
      Storage storage = LocalStorage.of(Fixtures.dataset(fixture));
      for (Map.Entry<Long, String> entry : ManifestNaming.list(storage).entrySet()) {
        String name = ManifestNaming.FOLDER + "/" + entry.getValue();
        try (PositionalReader file = storage.open(name)) {
          Manifest manifest = ManifestReader.read(file);
          Transaction inside = ManifestSections.transaction(file, manifest);
          assertThat(manifest.transactionFile()).as(fixture).isNotNull();
          assertThat(Transactions.read(storage, manifest.transactionFile()))
              .as(fixture + " version " + entry.getKey())
              .isEqualTo(inside);
          assertThat(manifest.transactionFile())
              .isEqualTo(inside.readVersion() + "-" + inside.uuid() + ".txn");
          compared++;
        }
      }
    }
    assertThat(compared).isGreaterThan(150);
  }

  @Test
  void aDeleteTellsItsPredicate() throws IOException {
    Storage storage = LocalStorage.of(Fixtures.dataset("versions_stable_21"));
    assertThat(Transactions.read(storage, DELETE))
        .isEqualTo(
            new Transaction(
                2,
                "89bbd080-21aa-4d32-8884-765b1d5ac9f2",
                "Delete",
                0,
                2,
                0,
                "id in (3,4,31)",
                Map.of()));
  }

  @Test
  void everyTruncatedFileIsCorrupt() throws IOException {
    for (String fixture : new String[] {"versions_stable_21", "manyupd_21", "index_21"}) {
      Path real = Fixtures.dataset(fixture).resolve(Transactions.FOLDER);
      try (var files = Files.list(real)) {
        for (Path file : (Iterable<Path>) files::iterator) {
          byte[] whole = Files.readAllBytes(file);
          for (int length = 0; length < whole.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> Transactions.parse(cut, "x.txn", 7))
                .as(file.getFileName() + " cut to " + length + " bytes")
                .isInstanceOf(CorruptFileException.class)
                .hasMessageContaining("x.txn")
                .hasMessageContaining("transaction");
          }
        }
      }
    }
  }

  @Test
  void changedBytesAreReadOrCorruptAndNothingElse() throws IOException {
    byte[] whole =
        Files.readAllBytes(
            Fixtures.dataset("versions_stable_21").resolve(Transactions.FOLDER).resolve(DELETE));
    Random random = new Random(41);
    int corrupt = 0;
    for (int i = 0; i < 2000; i++) {
      byte[] changed = whole.clone();
      changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
      try {
        Transactions.parse(changed, "x.txn", 0);
      } catch (CorruptFileException e) {
        corrupt++;
      }
    }
    assertThat(corrupt).as("seed 41").isPositive();
  }

  @Test
  void anAbsentFileIsNotFound() throws IOException {
    Storage storage = LocalStorage.of(folder);
    assertThatThrownBy(() -> Transactions.read(storage, "1-x.txn"))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("1-x.txn");
  }

  @Test
  void anOperationOfALaterLanceGoesByItsNumber() throws IOException {
    UnknownFieldSet later =
        UnknownFieldSet.newBuilder()
            .addField(
                130,
                UnknownFieldSet.Field.newBuilder().addLengthDelimited(ByteString.EMPTY).build())
            .build();
    assertThat(parse(TransactionProto.Transaction.newBuilder().setUnknownFields(later)).operation())
        .isEqualTo("Operation 130");
  }

  @Test
  void anOperationWithoutNameIsCorrupt() {
    assertThatThrownBy(() -> parse(TransactionProto.Transaction.newBuilder()))
        .isInstanceOf(CorruptFileException.class)
        .hasMessage(
            "corrupt file x.txn at offset 0: transaction: expected an operation, found none");
  }

  @Test
  void everyOperationHasALineOfItsOwn() throws IOException {
    Map<String, String> lines = new TreeMap<>();
    TransactionProto.Transaction.Builder builder = TransactionProto.Transaction.newBuilder();
    ByteString any = ByteString.copyFromUtf8("fragment");
    add(
        lines,
        builder.setCreateIndex(
            TransactionProto.CreateIndex.newBuilder()
                .addNewIndices(TransactionProto.NamedIndex.newBuilder().setName("a"))
                .addNewIndices(TransactionProto.NamedIndex.newBuilder().setName("b"))
                .addRemovedIndices(TransactionProto.NamedIndex.newBuilder().setName("c"))));
    add(
        lines,
        builder.setRewrite(
            TransactionProto.Rewrite.newBuilder()
                .addGroups(
                    TransactionProto.RewriteGroup.newBuilder()
                        .addOldFragments(any)
                        .addOldFragments(any)
                        .addNewFragments(any))
                .addGroups(TransactionProto.RewriteGroup.newBuilder().addOldFragments(any))));
    add(lines, builder.setRestore(TransactionProto.Restore.newBuilder().setVersion(3)));
    add(
        lines,
        builder.setReserveFragments(
            TransactionProto.ReserveFragments.newBuilder().setNumFragments(2)));
    add(
        lines,
        builder.setUpdate(
            TransactionProto.Update.newBuilder()
                .addRemovedFragmentIds(7)
                .addUpdatedFragments(any)
                .addUpdatedFragments(any)
                .addNewFragments(any)));
    add(lines, builder.setMerge(TransactionProto.Merge.newBuilder().addFragments(any)));
    add(lines, builder.setProject(TransactionProto.Empty.newBuilder()));
    add(lines, builder.setUpdateConfig(TransactionProto.Empty.newBuilder()));
    add(
        lines,
        builder.setDataReplacement(
            TransactionProto.DataReplacement.newBuilder().addReplacements(any)));
    add(
        lines,
        builder.setClone(
            TransactionProto.Clone.newBuilder()
                .setIsShallow(true)
                .setRefName("tag")
                .setRefVersion(4)
                .setRefPath("elsewhere")));
    assertThat(lines)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "CreateIndex", "+0 ~0 -0 new: a, b; removed: c",
                "Rewrite", "+1 ~0 -3 null",
                "Restore", "+0 ~0 -0 version 3",
                "ReserveFragments", "+0 ~0 -0 fragment ids: 2",
                "Update", "+1 ~2 -1 null",
                "Merge", "+0 ~1 -0 null",
                "Project", "+0 ~0 -0 null",
                "UpdateConfig", "+0 ~0 -0 null",
                "DataReplacement", "+0 ~1 -0 null",
                "Clone", "+0 ~0 -0 shallow, of elsewhere at tag, version 4"));
  }

  private static void add(Map<String, String> lines, TransactionProto.Transaction.Builder stored)
      throws IOException {
    Transaction read = parse(stored);
    lines.put(
        read.operation(),
        "+"
            + read.fragmentsAdded()
            + " ~"
            + read.fragmentsUpdated()
            + " -"
            + read.fragmentsRemoved()
            + " "
            + read.details());
  }

  private static Transaction parse(TransactionProto.Transaction.Builder stored) throws IOException {
    return Transactions.parse(stored.setUuid("u").build().toByteArray(), "x.txn", 0);
  }
}
