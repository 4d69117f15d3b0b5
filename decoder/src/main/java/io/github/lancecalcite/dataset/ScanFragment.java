package io.github.lancecalcite.dataset;

import io.github.lancecalcite.format.DataFragment;
import io.github.lancecalcite.format.Manifest;
import java.io.IOException;

/** A fragment as a scan sees it: its metadata and the ways to what lies in files. */
record ScanFragment(
    Manifest manifest,
    DatasetFiles datasetFiles,
    DataFragment fragment,
    long physicalRows,
    long firstOrdinal) {
  DeletionVector deletions() throws IOException {
    return datasetFiles.deletions(fragment, physicalRows);
  }

  FragmentSequences sequences() {
    return new FragmentSequences(manifest, datasetFiles, fragment, physicalRows);
  }

  FragmentFiles openFiles() {
    return new FragmentFiles(datasetFiles, fragment, physicalRows);
  }
}
