package io.github.lancecalcite.dataset;

/** One column of a scan's output: a stored top-level field or a system column. */
public sealed interface ScanColumn permits FieldColumn, SystemColumn {}
