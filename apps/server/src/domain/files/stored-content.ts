import type { Stores } from '../../ports/database.js'
import type { FileRecord } from '../../ports/file-store.js'

/** How large the chunks are that contents are stored in. */
const blockBytes = 256 * 1024

/**
 * The same bytes in blocks of one size, the last one shorter. There is one block, filled again and again: it is the
 * caller's until the next one is asked for. A new one each time would be as much garbage as the file is large.
 */
export async function* inBlocks(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const block = Buffer.allocUnsafeSlow(blockBytes)
  let filled = 0
  for await (const piece of content) {
    for (let taken = 0; taken < piece.length; ) {
      const copied = piece.copy(block, filled, taken)
      taken += copied
      filled += copied
      if (filled < blockBytes) continue
      yield block
      filled = 0
    }
  }
  if (filled > 0) yield block.subarray(0, filled)
}

/** A file's contents as they are stored, a chunk at a time. */
export async function* storedContent(
  { files }: Stores,
  { id, sizeBytes }: FileRecord,
): AsyncGenerator<Buffer, void> {
  let bytes = 0
  for (let position = 0; bytes < sizeBytes; position += 1) {
    const chunk = await files.chunk(id, position)
    if (chunk === null) throw new Error('The file was removed while it was read.')
    bytes += chunk.length
    yield chunk
  }
}
