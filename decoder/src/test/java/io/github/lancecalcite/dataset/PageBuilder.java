package io.github.lancecalcite.dataset;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Bytes of a page's buffer, little-endian, written down one after the other. */
final class PageBuilder {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private PageBuilder number(long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      out.write((int) (value >>> 8 * i));
    }
    return this;
  }

  PageBuilder u8(int value) {
    return number(value, 1);
  }

  PageBuilder u16(int value) {
    return number(value, 2);
  }

  PageBuilder i32(int value) {
    return number(value, 4);
  }

  PageBuilder i64(long value) {
    return number(value, 8);
  }

  PageBuilder text(String text) {
    return bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  PageBuilder bytes(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  /** Fills up to a multiple of so many bytes, as writers do. */
  PageBuilder pad(int multiple) {
    while (out.size() % multiple != 0) {
      out.write(0xfe);
    }
    return this;
  }

  int size() {
    return out.size();
  }

  byte[] array() {
    return out.toByteArray();
  }
}
