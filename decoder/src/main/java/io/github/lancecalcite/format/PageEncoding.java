package io.github.lancecalcite.format;

/** How the bytes of a page are to be read: a tree of 2.0, or a layout of 2.1 and later. */
public sealed interface PageEncoding permits ArrayEncoding, PageLayout {}
