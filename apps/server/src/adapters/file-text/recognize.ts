import type { RecognisedContents } from '../../ports/file-text.js'

const recognized: Readonly<Record<string, RecognisedContents>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

const zipSignature = Buffer.from('PK\x03\x04')
/** Enough for these signatures. Reading more would only expose the parser to more untrusted input. */
const signatureBytes = 4096

/**
 * Recognizes a file by its first bytes. They do not show the kind of a zip file, which requires reading all
 * of it.
 */
export async function recognize(beginning: Buffer): Promise<RecognisedContents | null> {
  if (beginning.subarray(0, zipSignature.length).equals(zipSignature)) return 'zip'
  // Loaded for the first file, so that a service without files starts without it.
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(beginning.subarray(0, signatureBytes))
  return (type && recognized[type.mime]) ?? null
}
