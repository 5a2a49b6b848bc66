import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ReadOutcome, ReadPassage, ReadRequest } from '../../ports/file-text.js'
import type { Log } from '../../ports/log.js'
import type { ReaderMessage, ReaderOrder } from './reader-messages.js'

const program = fileURLToPath(new URL('./reader-process.js', import.meta.url))

/** How many passages are handed over at a time. */
const passagesTogether = 16
const maxLastWords = 2000

export interface ReadingLimits {
  /** How long a file may be thought about, not counting how long its passages take to store. */
  readonly maxMilliseconds: number
  readonly maxCharacters: number
  /** Of the reading process: its heap, and all of it. */
  readonly maxHeapMegabytes: number
  readonly maxMemoryBytes: number
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
  { contentType, sizeBytes, content, onPassages }: ReadRequest,
  limits: ReadingLimits,
  { onStart, log }: { readonly onStart: (child: ChildProcess) => void; readonly log: Log },
): Promise<ReadOutcome> {
  const { maxCharacters, maxMemoryBytes, maxHeapMegabytes } = limits
  const order: ReaderOrder = { contentType, sizeBytes, maxCharacters, maxMemoryBytes }
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${maxHeapMegabytes}`, program, JSON.stringify(order)],
    // Without our environment: it holds secrets, and the reader needs none of it.
    { env: {}, stdio: ['pipe', 'ignore', 'pipe', 'pipe'] },
  )
  onStart(child)
  const input = child.stdio[0] as Writable
  const answers = child.stdio[3] as Readable
  const complaint = lastWordsOf(child.stdio[2] as Readable)
  let failure: Error | null = null
  child.once('error', (error) => {
    failure = error
  })
  const fed = feed(input, content)
  // Told below, when nothing more comes from the reader, and not before.
  fed.catch(() => child.kill('SIGKILL'))
  try {
    const outcome = await listen(child, answers, limits.maxMilliseconds, onPassages)
    await fed
    if (failure !== null) throw failure
    if (outcome !== null) return outcome
    log.warn({ contentType, sizeBytes, complaint: complaint() }, 'a file could not be read')
    return tooHeavy
  } finally {
    child.kill('SIGKILL')
  }
}

async function feed(input: Writable, content: AsyncIterable<Buffer>): Promise<void> {
  // A reader that has seen enough, or is gone, does not listen: what it says or its end tells the rest.
  input.on('error', () => undefined)
  const closed = new Promise((resolve) => input.once('close', resolve))
  for await (const piece of content) {
    if (input.destroyed) return
    if (!input.write(piece))
      await Promise.race([closed, new Promise((resolve) => input.once('drain', resolve))])
  }
  input.end()
}

/** What a reader that broke down had to say of it. */
function lastWordsOf(stream: Readable): () => string {
  let words = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-maxLastWords)
  })
  return () => words
}

/** What the reader says in the end; null where it ends without. */
async function listen(
  child: ChildProcess,
  answers: Readable,
  maxMilliseconds: number,
  onPassages: (passages: readonly ReadPassage[]) => Promise<void>,
): Promise<ReadOutcome | null> {
  let patienceMilliseconds = maxMilliseconds
  let isTooSlow = false
  let waitingSince = 0
  let timer: NodeJS.Timeout | undefined
  const startWaiting = () => {
    waitingSince = performance.now()
    timer = setTimeout(() => {
      isTooSlow = true
      child.kill('SIGKILL')
    }, patienceMilliseconds)
  }
  const stopWaiting = () => {
    clearTimeout(timer)
    patienceMilliseconds -= performance.now() - waitingSince
  }

  let outcome: ReadOutcome | null = null
  let batch: ReadPassage[] = []
  startWaiting()
  try {
    for await (const line of linesOf(answers)) {
      const message = JSON.parse(line) as ReaderMessage
      if ('kind' in message) outcome = message
      else batch.push(message)
      if (batch.length < passagesTogether) continue
      stopWaiting()
      await onPassages(batch)
      batch = []
      startWaiting()
    }
  } finally {
    stopWaiting()
  }
  if (batch.length > 0 && outcome?.kind === 'read') await onPassages(batch)
  return outcome ?? (isTooSlow ? tooSlow : null)
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
