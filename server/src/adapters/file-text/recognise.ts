import { fileTypeFromBuffer } from 'file-type'
import type { RecognisedContents } from '../../ports/file-text.js'

const recognised: Readonly<Record<string, RecognisedContents>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

const zipSignature = Buffer.from('PK\x03\x04')
/** What the signatures of these types need; more would only give hostile contents more to say. */
const signatureBytes = 4096

/** What contents are by their first bytes. A zip is told by its own: which kind it is takes reading all of it. */
export async function recognise(beginning: Buffer): Promise<RecognisedContents | null> {
  if (beginning.subarray(0, zipSignature.length).equals(zipSignature)) return 'zip'
  const type = await fileTypeFromBuffer(beginning.subarray(0, signatureBytes))
  return (type && recognised[type.mime]) ?? null
}
