import type { Stores } from '../../ports/database.js'
import type { FileRecord } from '../../ports/file-store.js'

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
