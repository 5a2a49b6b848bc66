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

/** The number of passages per message. */
const passagesPerMessage = 16
const maxStderrCharacters = 2000

export interface ReadingLimits {
  /** The time limit of a reader. It excludes the time for storing the reader's passages. */
  readonly maxMilliseconds: number
  readonly maxCharacters: number
  /** The limits of the reading process: the size of its heap, and its total memory. */
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
const tooMuchMemory: ReadOutcome = {
  kind: 'unreadable',
  detail: 'takes too much memory to read, or crashes its reader',
}

/**
 * Reads a file in a separate process with a limit on every resource, because files come from untrusted users
 * and the parsing libraries are not built for malicious input.
 */
export async function readApart(
  { log, timers, limits, onStart }: ReadApartDependencies,
  { contentType, sizeBytes, content, signal, onPassages }: ReadRequest,
): Promise<ReadOutcome> {
  const child = startReader(limits, { contentType, sizeBytes })
  onStart(child)
  const input = child.stdio[0] as Writable
  const messages = child.stdio[3] as Readable
  const stderr = endOf(child.stdio[2] as Readable)
  let failure: Error | null = null
  child.once('error', (error) => {
    failure = error
  })
  const onAbort = () => child.kill('SIGKILL')
  signal.addEventListener('abort', onAbort)
  const time = new ReadingTime(timers, limits.maxMilliseconds, () => child.kill('SIGKILL'))
  const fed = feed(input, content)
  // This promise is awaited below, after the reader's last message. Until then, this handler receives its
  // rejection.
  fed.catch(() => child.kill('SIGKILL'))
  try {
    const outcome = await receive(messages, time, onPassages)
    await fed
    signal.throwIfAborted()
    if (failure !== null) throw failure
    if (outcome !== null) return outcome
    if (time.isUp) return tooSlow
    log.warn({ contentType, sizeBytes, stderr: stderr() }, 'a file could not be read')
    return tooMuchMemory
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
    // The environment is empty because ours contains secrets, and the reader needs none of them. The working
    // directory is the program's own, because Node 24 and 26 let threads read their working directory
    // regardless of permissions.
    { env: {}, cwd: dirname(program), stdio: ['pipe', 'ignore', 'pipe', 'pipe'] },
  )
}

async function feed(input: Writable, content: AsyncIterable<Buffer>): Promise<void> {
  // A reader that has finished or exited closes its input. The reason is in its messages or its exit.
  input.on('error', () => undefined)
  const closed = new Promise((resolve) => input.once('close', resolve))
  for await (const piece of content) {
    if (input.destroyed) return
    if (!input.write(piece))
      await Promise.race([closed, new Promise((resolve) => input.once('drain', resolve))])
  }
  input.end()
}

/** Keeps the end of a reader's output for the log. */
function endOf(stream: Readable): () => string {
  let printed = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-maxStderrCharacters)
  })
  return () => printed
}

/** Receives passages until the reader ends. Returns its outcome, or null if it ended without one. */
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
      if (batch.length < passagesPerMessage) continue
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

/** Node's own line reader also splits at other characters, which may occur inside a message. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of stream.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
