package io.github.lancecalcite.dataset;

import org.apache.arrow.memory.BufferAllocator;

/** Opens the cursor of one scan. */
final class DatasetScan {
  private DatasetScan() {}

  /** The batches of a request; memory comes from a child of {@code parent}. */
  static BatchCursor open(Dataset dataset, ScanRequest request, BufferAllocator parent) {
    throw new UnsupportedOperationException("scan");
  }
}
