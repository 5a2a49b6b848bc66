import { Socket } from 'node:net'
import { getPriority, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
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
 * A process that reads one file and ends. The file comes in on standard input, its passages leave as lines on the fourth
 * channel: libraries may print what they like on the others.
 */
const messageChannel = 3

type Reader = (content: Buffer, cutter: PassageCutter, give: GivePassages) => Promise<void>

const readers: Readonly<Record<string, () => Promise<Reader>>> = {
  'application/pdf': async () => (await import('./read-pdf.js')).readPdf,
  'text/html': async () => (await import('./read-html.js')).readHtml,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': async () =>
    (await import('./read-docx.js')).readDocx,
}

/** Whoever uploads a file waits anyway; whoever talks must not. */
const readerPriority = 10

setPriority(Math.max(readerPriority, getPriority()))
const order = JSON.parse(process.argv[2] ?? '{}') as ReaderOrder
new Worker(new URL('./memory-watch.js', import.meta.url), { workerData: order }).unref()

let sentCharacters = 0
const messages = new Socket({ fd: messageChannel, readable: false, writable: true })
// Nobody reads them any more.
messages.on('error', () => process.exit(1))

await send({ type: 'outcome', outcome: await read() })
messages.end(() => process.exit(0))

async function read(): Promise<ReadOutcome> {
  const reader = await readers[order.contentType]?.()
  if (!reader) throw new Error(`There is no reader of ${order.contentType}.`)
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

/** The whole file: these formats have what is needed first at their end. */
async function readContent(): Promise<Buffer> {
  const content = Buffer.allocUnsafeSlow(order.sizeBytes)
  let length = 0
  for await (const piece of process.stdin as AsyncIterable<Buffer>) length += piece.copy(content, length)
  if (length !== order.sizeBytes) process.exit(1)
  return content
}

async function give(passages: readonly ReadPassage[]): Promise<void> {
  for (const passage of passages) {
    sentCharacters += passage.content.length
    if (sentCharacters > order.maxCharacters)
      throw new Unreadable(`holds more than ${order.maxCharacters} characters of text`)
    await send({ type: 'passage', passage })
  }
}

/** Waits where the other side is slow. */
async function send(message: ReaderMessage): Promise<void> {
  if (messages.write(`${JSON.stringify(message)}\n`)) return
  await new Promise((resolve) => messages.once('drain', resolve))
}
