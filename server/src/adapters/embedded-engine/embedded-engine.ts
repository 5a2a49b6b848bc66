import { randomBytes } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { EmbeddedEngine, EnginePlace } from '../../ports/embedded-engine.js'
import type { Log } from '../../ports/log.js'
import type { Thought, ThreadReply, ThreadRequest } from './thread-messages.js'

const entry = new URL('./engine-thread.js', import.meta.url)
const secretBytes = 32
/** Its own threads finish what they are at before they end. */
const closeMilliseconds = 10_000

interface Waiting {
  readonly resolve: (thought: Thought) => void
  readonly reject: (error: Error) => void
}

/**
 * The built-in engine, started when somebody first needs it: who has another provider does not pay for it. It listens on
 * a loopback port with a secret of its own, so that the service speaks to it as to any provider.
 */
export function makeEmbeddedEngine(log: Log): EmbeddedEngine {
  let running: EngineThread | null = null

  function thread(): EngineThread {
    running ??= new EngineThread(log, () => {
      // The next session starts another one.
      running = null
    })
    return running
  }

  return {
    start: () => thread().place,
    think: (messages, tools) => thread().think(messages, tools),
    close: async () => running?.close(),
  }
}

class EngineThread {
  readonly place: Promise<EnginePlace>
  readonly #worker: Worker
  readonly #gone: Promise<void>
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0

  constructor(log: Log, onGone: () => void) {
    const secret = randomBytes(secretBytes).toString('base64url')
    this.#worker = new Worker(entry, { workerData: { secret } })
    let failure = new Error('The engine ended.')
    let listening: (place: EnginePlace) => void = () => undefined
    let failed: (error: Error) => void = () => undefined
    this.place = new Promise((resolve, reject) => {
      listening = resolve
      failed = reject
    })
    this.place.catch(() => undefined)
    this.#worker.on('message', (reply: ThreadReply) => {
      if (reply.type === 'listening') listening({ url: reply.url, secret })
      else if (reply.type === 'log') log.info({ part: 'engine' }, reply.line)
      else this.#answer(reply)
    })
    this.#worker.on('error', (error) => {
      failure = error instanceof Error ? error : new Error(String(error))
      log.error({ err: failure, part: 'engine' }, 'the built-in engine failed')
    })
    this.#gone = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        onGone()
        failed(failure)
        for (const { reject } of this.#waiting.values()) reject(failure)
        this.#waiting.clear()
        resolve()
      })
    })
  }

  async think(...[messages, tools]: Parameters<EmbeddedEngine['think']>): Promise<Thought> {
    await this.place
    this.#asked += 1
    const id = this.#asked
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#ask({ type: 'think', id, messages, tools })
    })
  }

  /** Asked to end, never cut off: a thread that is cut off in the middle of its work can take the process with it. */
  async close(): Promise<void> {
    await this.place.catch(() => undefined)
    this.#ask({ type: 'close' })
    let patience: NodeJS.Timeout | undefined
    await Promise.race([
      this.#gone,
      new Promise((resolve) => {
        patience = setTimeout(resolve, closeMilliseconds)
      }),
    ])
    clearTimeout(patience)
  }

  #ask(request: ThreadRequest): void {
    this.#worker.postMessage(request)
  }

  #answer(reply: Extract<ThreadReply, { id: number }>): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (reply.type === 'thought') waiting?.resolve(reply.thought)
    else waiting?.reject(new Error(reply.message))
  }
}
