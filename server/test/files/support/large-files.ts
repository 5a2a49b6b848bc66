import { randomFillSync } from 'node:crypto'
import { PDFDocument } from 'pdf-lib'
import type { SentFile } from './upload.js'

export const mebibyte = 1024 * 1024

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Sentences of words, each sentence another one. */
export function makeText(bytes: number): string {
  const sentences: string[] = []
  for (let length = 0, count = 0; length < bytes; count += 1) {
    const words = Array.from({ length: 12 }, (_, index) => `word${(count * 31 + index * 17) % 4999}`)
    const sentence = `Sentence ${count} says ${words.join(' ')}.${count % 9 === 8 ? '\n\n' : ' '}`
    sentences.push(sentence)
    length += sentence.length
  }
  return sentences.join('').slice(0, bytes)
}

/** A PNG as far as anybody looks who does not draw it. */
export function makePng(bytes: number): Buffer {
  const png = randomFillSync(Buffer.alloc(bytes))
  pngSignature.copy(png)
  png.writeUInt32BE(13, 8)
  png.write('IHDR', 12, 'latin1')
  png.writeUInt32BE(bytes - 57, 33)
  png.write('IDAT', 37, 'latin1')
  return png
}

/** A PDF with a text on each page, and with something large in it that nobody can make smaller. */
export async function makePdf(pages: readonly string[], ballastBytes = 0): Promise<Buffer> {
  const document = await PDFDocument.create()
  for (const text of pages)
    document.addPage([600, 800]).drawText(text, { x: 20, y: 760, size: 10, lineHeight: 14 })
  if (ballastBytes > 0) await document.attach(randomFillSync(Buffer.alloc(ballastBytes)), 'ballast.bin')
  return Buffer.from(await document.save())
}

/** One of each kind of file that is read in its own way, just below the limit of 20 MiB. */
export const largeFiles: Readonly<Record<string, () => Promise<SentFile>>> = {
  PDF: async () => {
    const pages = Array.from({ length: 20 }, (_, index) => `This is page ${index + 1}.`)
    return { name: 'large.pdf', content: await makePdf(pages, 20 * mebibyte - 100_000) }
  },
  image: async () => ({ name: 'large.png', content: makePng(20 * mebibyte - 10) }),
  text: async () => ({ name: 'large.txt', content: makeText(20 * mebibyte - 10) }),
}
