import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { Unreadable } from './reader-messages.js'

const maxEntries = 5000
const maxInflatedBytes = 128 * 1024 * 1024
/**
 * The maximum compression ratio of a zip. Below `harmlessBytes` the ratio is ignored, because white space can
 * exceed it.
 */
const maxRatio = 100
const harmlessBytes = 8 * 1024 * 1024

/**
 * Inflates every entry and counts the resulting bytes, because the sizes stated in the zip may be wrong. It
 * keeps no data, so a zip bomb costs a little time and no memory. Returns the names of the entries.
 */
export async function checkZip(content: Buffer): Promise<Set<string>> {
  try {
    const zip = await fromBufferPromise(content, { lazyEntries: true, validateEntrySizes: true })
    if (zip.entryCount > maxEntries) throw new Unreadable(`is a zip with more than ${maxEntries} entries`)
    return await inflateAll(zip, content.length)
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable('is a Word document whose zip is damaged', { cause: error })
  }
}

async function inflateAll(zip: ZipFile, zipBytes: number): Promise<Set<string>> {
  const names = new Set<string>()
  const mostBytes = Math.min(maxInflatedBytes, Math.max(harmlessBytes, zipBytes * maxRatio))
  let inflatedBytes = 0
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw new Unreadable('is a Word document that is encrypted')
    names.add(entry.fileName)
    inflatedBytes += await inflatedBytesOf(zip, entry, mostBytes - inflatedBytes)
  }
  return names
}

async function inflatedBytesOf(zip: ZipFile, entry: Entry, mostBytes: number): Promise<number> {
  let bytes = 0
  for await (const piece of await zip.openReadStreamPromise(entry)) {
    bytes += (piece as Buffer).length
    if (bytes > mostBytes) throw new Unreadable('is far too large when it is unzipped')
  }
  return bytes
}
