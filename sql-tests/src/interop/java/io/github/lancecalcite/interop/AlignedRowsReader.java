package io.github.lancecalcite.interop;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;

/**
 * Reads an Arrow IPC file into buffers of their own. Those of a file lie at multiples of 8 bytes,
 * and lance-core aborts when one of decimals does not lie at a multiple of 16.
 */
final class AlignedRowsReader extends ArrowFileReader {
  AlignedRowsReader(BufferAllocator allocator, Path file) throws IOException {
    super(FileChannel.open(file, StandardOpenOption.READ), allocator);
  }

  @Override
  protected void loadRecordBatch(ArrowRecordBatch batch) {
    List<ArrowBuf> copies = new ArrayList<>();
    for (ArrowBuf buffer : batch.getBuffers()) {
      ArrowBuf copy = allocator.buffer(buffer.readableBytes());
      copy.setBytes(0, buffer, 0, buffer.readableBytes());
      copy.writerIndex(buffer.readableBytes());
      copies.add(copy);
    }
    ArrowRecordBatch copied = new ArrowRecordBatch(batch.getLength(), batch.getNodes(), copies);
    copies.forEach(ArrowBuf::close);
    batch.close();
    super.loadRecordBatch(copied);
  }
}
