package io.github.lancecalcite.encoding;

/** One fixed-width value, repeated. */
public final class ConstantValues extends ValueDecoder {
  private final byte[] value;
  private byte[] repeated = new byte[0];

  public ConstantValues(byte[] value) {
    this.value = value.clone();
  }

  @Override
  public int buffers() {
    return 0;
  }

  @Override
  public void decode(Bytes[] buffers, int first, int count, ValueBlock out) {
    int size = Math.multiplyExact(count, value.length);
    if (repeated.length < size) {
      repeated = new byte[size];
      for (int i = 0; i < size; i += value.length) {
        System.arraycopy(value, 0, repeated, i, value.length);
      }
    }
    out.fixed(count, value.length * 8L, repeated, 0);
  }
}
