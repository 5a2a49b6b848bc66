import { Socket } from 'node:net'
import { workerData } from 'node:worker_threads'
import type { ReadOutcome, ReadPassage } from '../../ports/file-text.js'
import { PassageCutter } from './passage-cutter.js'
import {
  type GivePassages,
  Mislabelled,
  type ReaderMessage,
  type ReaderOrder,
  Unreadable,
} from './reader-messages.js'

/*
 * The thread that reads one file. The file arrives on the standard input of the process. Passages are written
 * as lines to the fourth channel, because libraries may print to the others.
 */
const contentChannel = 0
const messageChannel = 3

type Reader = (content: Buffer, cutter: PassageCutter, give: GivePassages) => Promise<void>

const readers: Readonly<Record<string, () => Promise<Reader>>> = {
  'application/pdf': async () => (await import('./read-pdf.js')).readPdf,
  'text/html': async () => (await import('./read-html.js')).readHtml,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': async () =>
    (await import('./read-docx.js')).readDocx,
}

const order = workerData as ReaderOrder

let sentCharacters = 0
const messages = new Socket({ fd: messageChannel, readable: false, writable: true })
// The service no longer reads the messages.
messages.on('error', () => process.exit(1))

await send({ type: 'outcome', outcome: await read() })
messages.end(() => process.exit(0))

async function read(): Promise<ReadOutcome> {
  const reader = await readers[order.contentType]?.()
  if (!reader) throw new Error(`Files of type ${order.contentType} cannot be read.`)
  const cutter = new PassageCutter()
  try {
    await reader(await readContent(), cutter, give)
    await give(cutter.end())
    return { kind: 'read' }
  } catch (error) {
    if (error instanceof Mislabelled) return { kind: 'mislabelled', detail: error.message }
    if (error instanceof Unreadable) return { kind: 'unreadable', detail: error.message }
    throw error
  }
}

/** Reads the whole file, because these formats have their index at the end. */
async function readContent(): Promise<Buffer> {
  const content = Buffer.allocUnsafeSlow(order.sizeBytes)
  let length = 0
  // The process.stdin of a worker is fed by the other thread, in pieces.
  const input = new Socket({ fd: contentChannel, readable: true, writable: false })
  for await (const piece of input as AsyncIterable<Buffer>) length += piece.copy(content, length)
  if (length !== order.sizeBytes) process.exit(1)
  return content
}

async function give(passages: readonly ReadPassage[]): Promise<void> {
  for (const passage of passages) {
    sentCharacters += passage.content.length
    if (sentCharacters > order.maxCharacters)
      throw new Unreadable(`contains more than ${order.maxCharacters} characters of text`)
    await send({ type: 'passage', passage })
  }
}

/** Waits if the service reads slowly. */
async function send(message: ReaderMessage): Promise<void> {
  if (messages.write(`${JSON.stringify(message)}\n`)) return
  await new Promise((resolve) => messages.once('drain', resolve))
}
