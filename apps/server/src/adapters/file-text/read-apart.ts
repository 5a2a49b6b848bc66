import { type ChildProcess, spawn } from 'node:child_process'
import { dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ReadOutcome, ReadPassage, ReadRequest } from '../../ports/file-text.js'
import type { Log } from '../../ports/log.js'
import type { Timers } from '../../ports/time.js'
import type { ReaderMessage, ReaderOrder } from './reader-messages.js'
import { processFlags } from './reader-permissions.js'
import { ReadingTime } from './reading-time.js'

const program = fileURLToPath(new URL('./reader-process.js', import.meta.url))

/** How many passages are handed over at a time. */
const passagesTogether = 16
const maxComplaintCharacters = 2000

export interface ReadingLimits {
  /** How long a reader may take, not counting how long its passages take to store. */
  readonly maxMilliseconds: number
  readonly maxCharacters: number
  /** Of the reading process: its heap, and all of it. */
  readonly maxHeapMegabytes: number
  readonly maxMemoryBytes: number
}

export interface ReadApartDependencies {
  readonly log: Log
  readonly timers: Timers
  readonly limits: ReadingLimits
  readonly onStart: (child: ChildProcess) => void
}

const tooSlow: ReadOutcome = { kind: 'unreadable', detail: 'takes too long to read' }
const tooHeavy: ReadOutcome = {
  kind: 'unreadable',
  detail: 'takes too much memory to read, or breaks its reader',
}

/**
 * Reads a file in a process of its own, which has a limit for everything: files are made by strangers, and the libraries
 * that read them were not made for all that strangers think of.
 */
export async function readApart(
  { log, timers, limits, onStart }: ReadApartDependencies,
  { contentType, sizeBytes, content, signal, onPassages }: ReadRequest,
): Promise<ReadOutcome> {
  const child = startReader(limits, { contentType, sizeBytes })
  onStart(child)
  const input = child.stdio[0] as Writable
  const messages = child.stdio[3] as Readable
  const complaint = endOf(child.stdio[2] as Readable)
  let failure: Error | null = null
  child.once('error', (error) => {
    failure = error
  })
  const onAbort = () => child.kill('SIGKILL')
  signal.addEventListener('abort', onAbort)
  const time = new ReadingTime(timers, limits.maxMilliseconds, () => child.kill('SIGKILL'))
  const fed = feed(input, content)
  // It is awaited below, when nothing more comes from the reader; until then its rejection has this handler.
  fed.catch(() => child.kill('SIGKILL'))
  try {
    const outcome = await receive(messages, time, onPassages)
    await fed
    signal.throwIfAborted()
    if (failure !== null) throw failure
    if (outcome !== null) return outcome
    if (time.isUp) return tooSlow
    log.warn({ contentType, sizeBytes, complaint: complaint() }, 'a file could not be read')
    return tooHeavy
  } finally {
    signal.removeEventListener('abort', onAbort)
    child.kill('SIGKILL')
  }
}

function startReader(
  { maxCharacters, maxMemoryBytes, maxHeapMegabytes }: ReadingLimits,
  file: Pick<ReaderOrder, 'contentType' | 'sizeBytes'>,
): ChildProcess {
  const order: ReaderOrder = { ...file, maxCharacters, maxMemoryBytes, maxHeapMegabytes }
  return spawn(
    process.execPath,
    [...processFlags(), program, JSON.stringify(order)],
    // Without our environment: it holds secrets, and the reader needs none of it.
    // In its own folder: whatever is permitted, Node 24 and 26 let threads read the one that they run in.
    { env: {}, cwd: dirname(program), stdio: ['pipe', 'ignore', 'pipe', 'pipe'] },
  )
}

async function feed(input: Writable, content: AsyncIterable<Buffer>): Promise<void> {
  // A reader that needs no more, or is gone, closes its input: its messages or its end show why.
  input.on('error', () => undefined)
  const closed = new Promise((resolve) => input.once('close', resolve))
  for await (const piece of content) {
    if (input.destroyed) return
    if (!input.write(piece))
      await Promise.race([closed, new Promise((resolve) => input.once('drain', resolve))])
  }
  input.end()
}

/** Keeps the end of what a reader prints, for the log. */
function endOf(stream: Readable): () => string {
  let printed = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-maxComplaintCharacters)
  })
  return () => printed
}

/** Receives passages until the reader ends; returns its outcome, or null where it ended without one. */
async function receive(
  messages: Readable,
  time: ReadingTime,
  onPassages: (passages: readonly ReadPassage[]) => Promise<void>,
): Promise<ReadOutcome | null> {
  let outcome: ReadOutcome | null = null
  let batch: ReadPassage[] = []
  time.run()
  try {
    for await (const line of linesOf(messages)) {
      const message = JSON.parse(line) as ReaderMessage
      if (message.type === 'outcome') outcome = message.outcome
      else batch.push(message.passage)
      if (batch.length < passagesTogether) continue
      time.pause()
      await onPassages(batch)
      batch = []
      time.run()
    }
  } finally {
    time.pause()
  }
  if (batch.length > 0 && outcome?.kind === 'read') await onPassages(batch)
  return outcome
}

/** Node's own reader of lines takes other characters for their ends too, and these may stand inside a message. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of stream.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
