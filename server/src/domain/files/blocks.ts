const blockBytes = 256 * 1024

/**
 * The same bytes in blocks of one size, the last one shorter. There is one block, filled again and again: it is the
 * caller's until the next one is asked for. A new one each time would be garbage of many times a file's size.
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
