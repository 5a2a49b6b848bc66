import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { keepNativeLibrary } from '@parley/engine/native-library'
import type { ChatModels, ChatTarget } from '../../ports/chat-model.js'
import type { DemoStep, DemoStepRequest, EmbeddedEngine, EngineAddress } from '../../ports/embedded-engine.js'
import type { Log } from '../../ports/log.js'
import type { ThreadReply, ThreadRequest } from './thread-messages.js'
import { VoicedModels } from './voiced-models.js'

const entry = new URL('./engine-worker.js', import.meta.url)
const secretBytes = 32
/** The engine's own threads finish their current work before they end. */
const closeMilliseconds = 10_000

interface Pending<Value> {
  readonly resolve: (value: Value) => void
  readonly reject: (error: Error) => void
}

/**
 * The built-in engine. It starts on first use, so that installations with other providers have no cost. It
 * listens on a loopback port with its own secret, and the service connects to it as to any other provider.
 */
export function makeEmbeddedEngine(log: Log, models: ChatModels): EmbeddedEngine {
  let running: EngineThread | null = null

  function thread(): EngineThread {
    running ??= new EngineThread(log, models, () => {
      // The next session starts a new engine.
      running = null
    })
    return running
  }

  return {
    start: (voicedModel) => thread().start(voicedModel),
    runDemoStep: (request) => thread().runDemoStep(request),
    speak: (text) => thread().speak(text),
    isRunning: () => running !== null,
    close: async () => running?.close(),
  }
}

class EngineThread {
  readonly #log: Log
  readonly #worker: Worker
  readonly #listening: Promise<Pick<EngineAddress, 'url' | 'secret'>>
  readonly #exit = new AbortController()
  readonly #voicedModels: VoicedModels
  readonly #pendingSteps = new Map<number, Pending<DemoStep>>()
  readonly #pendingSpeech = new Map<number, Pending<Int16Array>>()
  #lastId = 0
  #failure = new Error('The engine ended.')

  constructor(log: Log, models: ChatModels, onExit: () => void) {
    const secret = randomBytes(secretBytes).toString('base64url')
    this.#log = log
    this.#worker = new Worker(entry, { workerData: { secret } })
    this.#voicedModels = new VoicedModels(models, (request) => this.#send(request))
    this.#listening = new Promise((resolve, reject) => {
      this.#worker.on('message', (reply: ThreadReply) => {
        if (reply.type === 'listening') resolve({ url: reply.url, secret })
        else this.#handle(reply)
      })
      this.#worker.once('exit', () => reject(this.#failure))
    })
    this.#listening.catch(() => undefined)
    this.#worker.on('error', (error) => {
      this.#failure = error instanceof Error ? error : new Error(String(error))
      log.error({ err: this.#failure, part: 'engine' }, 'the built-in engine failed')
    })
    this.#worker.once('exit', () => {
      onExit()
      this.#voicedModels.end()
      for (const pending of [this.#pendingSteps, this.#pendingSpeech]) {
        for (const { reject } of pending.values()) reject(this.#failure)
        pending.clear()
      }
      this.#exit.abort()
    })
  }

  async start(voicedModel: ChatTarget | null): Promise<EngineAddress> {
    const address = await this.#listening
    if (voicedModel === null) return { ...address, voicedModelToken: null, release: () => undefined }
    const voicedModelToken = this.#voicedModels.admit(voicedModel)
    const release = () => this.#voicedModels.release(voicedModelToken)
    return { ...address, voicedModelToken, release }
  }

  async runDemoStep(request: DemoStepRequest): Promise<DemoStep> {
    await this.#listening
    const id = this.#nextId()
    return new Promise((resolve, reject) => {
      this.#pendingSteps.set(id, { resolve, reject })
      this.#send({ type: 'demo-step', id, ...request })
    })
  }

  async speak(text: string): Promise<Int16Array> {
    await this.#listening
    const id = this.#nextId()
    return new Promise((resolve, reject) => {
      this.#pendingSpeech.set(id, { resolve, reject })
      this.#send({ type: 'speak', id, text })
    })
  }

  /**
   * Asks the thread to end. Never terminates it, because terminating a thread during its work can crash the
   * process.
   */
  async close(): Promise<void> {
    // A thread that is still starting reads this message as soon as it listens.
    this.#send({ type: 'close' })
    // The promise rejects when the thread has ended, which is the expected outcome.
    await wait(closeMilliseconds, undefined, { signal: this.#exit.signal }).catch(() => undefined)
  }

  #send(request: ThreadRequest): void {
    this.#worker.postMessage(request)
  }

  #handle(reply: Exclude<ThreadReply, { type: 'listening' }>): void {
    switch (reply.type) {
      case 'log':
        return this.#log.info({ part: 'engine' }, reply.line)
      case 'hearing':
        // Keeps the native library loaded when this thread exits, because the next engine thread needs it.
        return keepNativeLibrary()
      case 'voiced-step':
        return void this.#voicedModels.runStep(reply.id, reply.request)
      case 'voiced-cancel':
        return this.#voicedModels.cancel(reply.id)
      case 'demo-result':
        return take(this.#pendingSteps, reply.id)?.resolve(reply.step)
      case 'demo-failure':
        return take(this.#pendingSteps, reply.id)?.reject(new Error(reply.message))
      case 'speech':
        return take(this.#pendingSpeech, reply.id)?.resolve(reply.samples)
      case 'speech-failure':
        return take(this.#pendingSpeech, reply.id)?.reject(new Error(reply.message))
    }
  }

  #nextId(): number {
    this.#lastId += 1
    return this.#lastId
  }
}

function take<Value>(all: Map<number, Value>, id: number): Value | undefined {
  const value = all.get(id)
  all.delete(id)
  return value
}
