import type { RecognisedContents } from '../../ports/file-text.js'

const recognised: Readonly<Record<string, RecognisedContents>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

const zipSignature = Buffer.from('PK\x03\x04')
/** What the signatures of these types need; more would only be more of what a stranger chose. */
const signatureBytes = 4096

/** What contents are by their first bytes. Which kind of zip a zip is, these do not show: that takes reading all of it. */
export async function recognise(beginning: Buffer): Promise<RecognisedContents | null> {
  if (beginning.subarray(0, zipSignature.length).equals(zipSignature)) return 'zip'
  // Loaded with the first file: a service that gets none starts without it.
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(beginning.subarray(0, signatureBytes))
  return (type && recognised[type.mime]) ?? null
}
