package io.github.lancecalcite.format;

import com.google.protobuf.InvalidProtocolBufferException;
import io.github.lancecalcite.CorruptFileException;
import io.github.lancecalcite.UnsupportedFormatException;
import io.github.lancecalcite.format.proto.TransactionProto;
import io.github.lancecalcite.io.PositionalReader;
import io.github.lancecalcite.io.Storage;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads transactions: messages in files of their own, {@code _transactions/<read version>-<uuid>
 * .txn}, and, by present writers, before the manifest as well.
 */
public final class Transactions {
  /** Folder of the transaction files below a dataset's root. */
  public static final String FOLDER = "_transactions";

  /** Field numbers from here on are operations. */
  private static final int FIRST_OPERATION = 100;

  private Transactions() {}

  /**
   * Reads a transaction file, which is one message.
   *
   * @param name as the manifest gives it
   * @throws io.github.lancecalcite.NotFoundException if there is no such file
   * @throws CorruptFileException if it is no such message
   */
  public static Transaction read(Storage storage, String name) throws IOException {
    try (PositionalReader file = storage.open(FOLDER + "/" + name)) {
      if (file.size() > ManifestSections.MAX_BYTES) {
        throw new UnsupportedFormatException(
            file.path(),
            "transaction size",
            file.size(),
            "at most " + ManifestSections.MAX_BYTES + " bytes");
      }
      return parse(file.read(0, (int) file.size()), file.path(), 0);
    }
  }

  /**
   * @param path the file that the message came from, for errors
   * @param offset position of {@code message[0]} in that file, for errors
   */
  static Transaction parse(byte[] message, String path, long offset) throws CorruptFileException {
    TransactionProto.Transaction stored;
    try {
      stored = TransactionProto.Transaction.parseFrom(message);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(
          path, offset, "transaction", "a protobuf message", String.valueOf(e.getMessage()), e);
    }
    if (stored.getUuid().isEmpty()) {
      throw new CorruptFileException(path, offset, "transaction", "a uuid", "none");
    }
    return switch (stored.getOperationCase()) {
      case APPEND -> of(stored, "Append", stored.getAppend().getFragmentsCount(), 0, 0, null);
      case DELETE -> {
        TransactionProto.Delete delete = stored.getDelete();
        yield of(
            stored,
            "Delete",
            0,
            delete.getUpdatedFragmentsCount(),
            delete.getDeletedFragmentIdsCount(),
            delete.getPredicate());
      }
      case OVERWRITE ->
          of(stored, "Overwrite", stored.getOverwrite().getFragmentsCount(), 0, 0, null);
      case CREATE_INDEX -> of(stored, "CreateIndex", 0, 0, 0, indices(stored.getCreateIndex()));
      case REWRITE -> rewrite(stored, stored.getRewrite());
      case MERGE -> of(stored, "Merge", 0, stored.getMerge().getFragmentsCount(), 0, null);
      case RESTORE ->
          of(
              stored,
              "Restore",
              0,
              0,
              0,
              "version " + Long.toUnsignedString(stored.getRestore().getVersion()));
      case RESERVE_FRAGMENTS ->
          of(
              stored,
              "ReserveFragments",
              0,
              0,
              0,
              "fragment ids: "
                  + Integer.toUnsignedString(stored.getReserveFragments().getNumFragments()));
      case UPDATE -> {
        TransactionProto.Update update = stored.getUpdate();
        yield of(
            stored,
            "Update",
            update.getNewFragmentsCount(),
            update.getUpdatedFragmentsCount(),
            update.getRemovedFragmentIdsCount(),
            null);
      }
      case PROJECT -> of(stored, "Project", 0, 0, 0, null);
      case UPDATE_CONFIG -> of(stored, "UpdateConfig", 0, 0, 0, null);
      case DATA_REPLACEMENT ->
          of(
              stored,
              "DataReplacement",
              0,
              stored.getDataReplacement().getReplacementsCount(),
              0,
              null);
      case UPDATE_MEM_WAL_STATE -> of(stored, "UpdateMemWalState", 0, 0, 0, null);
      case CLONE -> of(stored, "Clone", 0, 0, 0, source(stored.getClone()));
      case UPDATE_BASES -> of(stored, "UpdateBases", 0, 0, 0, null);
      case DATA_OVERLAY ->
          of(stored, "DataOverlay", 0, stored.getDataOverlay().getGroupsCount(), 0, null);
      case OPERATION_NOT_SET -> of(stored, unnamed(stored, path, offset), 0, 0, 0, null);
    };
  }

  private static Transaction of(
      TransactionProto.Transaction stored,
      String operation,
      int added,
      int updated,
      int removed,
      @Nullable String details) {
    return new Transaction(
        stored.getReadVersion(),
        stored.getUuid(),
        operation,
        added,
        updated,
        removed,
        details == null || details.isEmpty() ? null : details,
        stored.getTransactionPropertiesMap());
  }

  private static Transaction rewrite(
      TransactionProto.Transaction stored, TransactionProto.Rewrite rewrite) {
    int added = rewrite.getNewFragmentsCount();
    int removed = rewrite.getOldFragmentsCount();
    for (TransactionProto.RewriteGroup group : rewrite.getGroupsList()) {
      added += group.getNewFragmentsCount();
      removed += group.getOldFragmentsCount();
    }
    return of(stored, "Rewrite", added, 0, removed, null);
  }

  private static String indices(TransactionProto.CreateIndex operation) {
    return Stream.of(
            names("new", operation.getNewIndicesList()),
            names("removed", operation.getRemovedIndicesList()))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private static String names(String what, List<TransactionProto.NamedIndex> indices) {
    return indices.isEmpty()
        ? ""
        : what
            + ": "
            + indices.stream()
                .map(TransactionProto.NamedIndex::getName)
                .collect(Collectors.joining(", "));
  }

  private static String source(TransactionProto.Clone clone) {
    return (clone.getIsShallow() ? "shallow, of " : "of ")
        + clone.getRefPath()
        + (clone.hasRefName() ? " at " + clone.getRefName() : "")
        + ", version "
        + Long.toUnsignedString(clone.getRefVersion());
  }

  /** An operation of a later Lance, by its number. */
  private static String unnamed(TransactionProto.Transaction stored, String path, long offset)
      throws CorruptFileException {
    for (int number : stored.getUnknownFields().asMap().keySet()) {
      if (number >= FIRST_OPERATION) {
        return "Operation " + number;
      }
    }
    throw new CorruptFileException(path, offset, "transaction", "an operation", "none");
  }
}
