import { randomFillSync } from 'node:crypto'
import { PDFDocument } from 'pdf-lib'
import type { SentFile } from './upload.js'

export const mebibyte = 1024 * 1024

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Random digits, different in every line of a log. */
const digits = makeDigits(1_000_000)
const digitsInLine = 200

function makeDigits(count: number): string {
  const bytes = randomFillSync(Buffer.alloc(count))
  return Buffer.from(bytes.map((byte) => 48 + (byte % 10))).toString('latin1')
}

/** A machine's log: every line differs, with a few words and a long number. */
export function makeLog(bytes: number): string {
  const lines: string[] = []
  for (let length = 0; length < bytes; ) {
    const start = (lines.length * 7919) % (digits.length - digitsInLine)
    const line = `Line ${lines.length}: the reading is ${digits.slice(start, start + digitsInLine)}.\n`
    lines.push(line)
    length += line.length
  }
  return lines.join('').slice(0, bytes)
}

/** A PNG that is valid for every reader that does not draw it. */
export function makePng(bytes: number): Buffer {
  const png = randomFillSync(Buffer.alloc(bytes))
  pngSignature.copy(png)
  png.writeUInt32BE(13, 8)
  png.write('IHDR', 12, 'latin1')
  png.writeUInt32BE(bytes - 57, 33)
  png.write('IDAT', 37, 'latin1')
  return png
}

/** A PDF with a text on each page and a large object that cannot be compressed. */
export async function makePdf(pages: readonly string[], paddingBytes = 0): Promise<Buffer> {
  const document = await PDFDocument.create()
  for (const text of pages)
    document.addPage([600, 800]).drawText(text, { x: 20, y: 760, size: 10, lineHeight: 14 })
  // Stored without compression, which would take seconds and save nothing.
  if (paddingBytes > 0)
    document.context.register(document.context.stream(randomFillSync(Buffer.alloc(paddingBytes))))
  return Buffer.from(await document.save())
}

/** One file of this size for each way of reading files. */
export const filesOfSize: Readonly<Record<string, (bytes: number) => Promise<SentFile>>> = {
  text: async (bytes) => ({ name: 'machine.log', content: makeLog(bytes) }),
  async PDF(bytes) {
    const pages = Array.from({ length: 20 }, (_, index) => `This is page ${index + 1}.`)
    return { name: 'pages.pdf', content: await makePdf(pages, bytes - 50_000) }
  },
  image: async (bytes) => ({ name: 'picture.png', content: makePng(bytes) }),
}
