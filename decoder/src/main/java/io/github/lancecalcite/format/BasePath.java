package io.github.lancecalcite.format;

import org.jspecify.annotations.Nullable;

/** Another folder that files of a dataset may lie in. */
public record BasePath(int id, @Nullable String name, boolean datasetRoot, String path) {}
