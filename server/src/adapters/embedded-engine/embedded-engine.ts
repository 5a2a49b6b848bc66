import { randomBytes } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { ChatModels, ChatTarget } from '../../ports/chat-model.js'
import type { EmbeddedEngine, EnginePlace } from '../../ports/embedded-engine.js'
import type { Log } from '../../ports/log.js'
import type { Thought, ThreadReply, ThreadRequest } from './thread-messages.js'
import { VoicedModels } from './voiced-models.js'

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
export function makeEmbeddedEngine(log: Log, models: ChatModels): EmbeddedEngine {
  let running: EngineThread | null = null

  function thread(): EngineThread {
    running ??= new EngineThread(log, models, () => {
      // The next session starts another one.
      running = null
    })
    return running
  }

  return {
    start: (voicedModel) => thread().admit(voicedModel),
    think: (messages, tools) => thread().think(messages, tools),
    close: async () => running?.close(),
  }
}

class EngineThread {
  readonly #listening: Promise<Pick<EnginePlace, 'url' | 'secret'>>
  readonly #worker: Worker
  readonly #gone: Promise<void>
  readonly #spoken: VoicedModels
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0

  constructor(log: Log, models: ChatModels, onGone: () => void) {
    const secret = randomBytes(secretBytes).toString('base64url')
    this.#worker = new Worker(entry, { workerData: { secret } })
    this.#spoken = new VoicedModels(models, (request) => this.#tell(request))
    let failure = new Error('The engine ended.')
    let listening: (url: string) => void = () => undefined
    let failed: (error: Error) => void = () => undefined
    this.#listening = new Promise((resolve, reject) => {
      listening = (url) => resolve({ url, secret })
      failed = reject
    })
    this.#listening.catch(() => undefined)
    this.#worker.on('message', (reply: ThreadReply) => {
      if (reply.type === 'listening') listening(reply.url)
      else if (reply.type === 'log') log.info({ part: 'engine' }, reply.line)
      else this.#take(reply)
    })
    this.#worker.on('error', (error) => {
      failure = error instanceof Error ? error : new Error(String(error))
      log.error({ err: failure, part: 'engine' }, 'the built-in engine failed')
    })
    this.#gone = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        onGone()
        failed(failure)
        this.#spoken.end()
        for (const { reject } of this.#waiting.values()) reject(failure)
        this.#waiting.clear()
        resolve()
      })
    })
  }

  async admit(voicedModel: ChatTarget | null): Promise<EnginePlace> {
    const place = await this.#listening
    if (voicedModel === null) return { ...place, ticket: null, leave: () => undefined }
    const ticket = this.#spoken.admit(voicedModel)
    return { ...place, ticket, leave: () => this.#spoken.dismiss(ticket) }
  }

  async think(...[messages, tools]: Parameters<EmbeddedEngine['think']>): Promise<Thought> {
    await this.#listening
    this.#asked += 1
    const id = this.#asked
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#tell({ type: 'think', id, messages, tools })
    })
  }

  /** Asked to end, never cut off: a thread that is cut off in the middle of its work can take the process with it. */
  async close(): Promise<void> {
    await this.#listening.catch(() => undefined)
    this.#tell({ type: 'close' })
    let patience: NodeJS.Timeout | undefined
    await Promise.race([
      this.#gone,
      new Promise((resolve) => {
        patience = setTimeout(resolve, closeMilliseconds)
      }),
    ])
    clearTimeout(patience)
  }

  #tell(request: ThreadRequest): void {
    this.#worker.postMessage(request)
  }

  #take(reply: Extract<ThreadReply, { id: number }>): void {
    if (reply.type === 'voiced-question') return void this.#spoken.answer(reply.id, reply.question)
    if (reply.type === 'voiced-cancel') return this.#spoken.cancel(reply.id)
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (reply.type === 'thought') waiting?.resolve(reply.thought)
    else waiting?.reject(new Error(reply.message))
  }
}
