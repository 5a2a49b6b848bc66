import { crc32, deflateRawSync } from 'node:zlib'
import { Document, HeadingLevel, Packer, Paragraph } from 'docx'

export interface ZipEntry {
  readonly name: string
  readonly content: Buffer | string
  /** A false uncompressed size in the zip's header. */
  readonly claimedBytes?: number
}

const localSignature = 0x04034b50
const centralSignature = 0x02014b50
const endSignature = 0x06054b50

/** Builds a zip file from its entries. `repeats` lists every entry that many times at the same position. */
export function makeZip(entries: readonly ZipEntry[], repeats = 1): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const [index, entry] of entries.entries()) {
    const content = Buffer.from(entry.content)
    const packed = deflateRawSync(content)
    const fields = fieldsOf(content, packed.length, entry.claimedBytes ?? content.length)
    const name = Buffer.from(entry.name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(localSignature, 0)
    fields.copy(local, 4)
    local.writeUInt16LE(name.length, 26)
    locals.push(local, name, packed)
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const listed = Buffer.from(repeat === 0 ? entry.name : `${entry.name}${index}-${repeat}`)
      const central = Buffer.alloc(46)
      central.writeUInt32LE(centralSignature, 0)
      fields.copy(central, 6)
      central.writeUInt16LE(listed.length, 28)
      central.writeUInt32LE(offset, 42)
      centrals.push(central, listed)
    }
    offset += local.length + name.length + packed.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(endSignature, 0)
  end.writeUInt16LE(entries.length * repeats, 8)
  end.writeUInt16LE(entries.length * repeats, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

/** The part that both headers of an entry share, from the required version to the sizes. */
function fieldsOf(content: Buffer, packedBytes: number, claimedBytes: number): Buffer {
  const fields = Buffer.alloc(22)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(8, 4)
  fields.writeUInt32LE(crc32(content), 10)
  fields.writeUInt32LE(packedBytes, 14)
  fields.writeUInt32LE(claimedBytes, 18)
  return fields
}

/** A zip with the entries of a Word document. */
export function makeDocumentZip(entries: readonly ZipEntry[] = [], repeats = 1): Buffer {
  return makeZip(
    [
      { name: '[Content_Types].xml', content: '<Types/>' },
      { name: 'word/document.xml', content: '<a/>' },
      ...entries,
    ],
    repeats,
  )
}

/** A Word document as a word processor writes it: headings, each with a paragraph. */
export async function makeDocx(sections: Readonly<Record<string, string>>): Promise<Buffer> {
  const children = Object.entries(sections).flatMap(([heading, text]) => [
    new Paragraph({ text: heading, heading: HeadingLevel.HEADING_1 }),
    new Paragraph({ text }),
  ])
  return Packer.toBuffer(new Document({ sections: [{ children }] }))
}
