import { toWire, type WireAudioFormat, wireBytes } from '../audio/wire-audio.js'
import { type ProtocolError, rateLimited, serverError } from '../protocol/protocol-error.js'
import type { ServiceFailure } from '../runtime/outcome.js'
import type {
  ModelAnswer,
  ModelMessage,
  ModelTool,
  ModelUsage,
  TextModel,
  ToolChoice,
} from '../text-model/text-model.js'
import { SentenceSplitter } from '../text-to-speech/sentence-splitter.js'
import type { TextToSpeech } from '../text-to-speech/text-to-speech.js'
import type { Item } from './item.js'
import type { ResponseEnd, ResponseWriter } from './response-writer.js'
import { speechFailure } from './speech-failure.js'
import { responseUsage } from './usage.js'

/** The length of an audio chunk: short enough for a quick start, long enough to keep the number of events low. */
const soundMilliseconds = 200

export interface ResponseGenerationParts {
  readonly writer: ResponseWriter
  readonly model: TextModel
  readonly voice: TextToSpeech
  readonly modality: 'text' | 'audio'
  readonly format: WireAudioFormat
  readonly voiceName: string
  readonly speed: number
  readonly tools: readonly ModelTool[]
  readonly toolChoice: ToolChoice
  readonly maxOutputTokens: number | null
  /** Resolves when everything said before is transcribed. */
  readonly readInput: () => Promise<ResponseInput>
  /** Resolves when the client has room for more. */
  readonly waitForRoom: () => Promise<void>
  /** Receives the error message, because the final event of a response carries none. */
  readonly onFailure: (error: ProtocolError) => void
}

export type ResponseInput =
  | {
      readonly kind: 'messages'
      readonly messages: readonly ModelMessage[]
      readonly context: readonly Item[]
    }
  /** The user's audio contained no speech. The reply needs no model. */
  | { readonly kind: 'no_words'; readonly reply: string; readonly context: readonly Item[] }
  | { readonly kind: 'failed'; readonly error: ProtocolError }

/** Generates one response: runs the model and streams its output as text or speech. */
export class ResponseGeneration {
  readonly #parts: ResponseGenerationParts
  readonly #abort = new AbortController()
  readonly #splitter = new SentenceSplitter()
  /** Speaks one sentence after the other while the model continues. */
  #spoken: Promise<unknown> = Promise.resolve()
  #failure: ProtocolError | null = null
  #read: { readonly messages: readonly ModelMessage[]; readonly context: readonly Item[] } = {
    messages: [],
    context: [],
  }

  constructor(parts: ResponseGenerationParts) {
    this.#parts = parts
  }

  /** Never rejects. The response is done when it resolves. */
  async run(): Promise<void> {
    try {
      await this.#run()
    } catch (error) {
      // A custom text model may reject although the contract forbids it. The session must survive that.
      if (!this.#parts.writer.isDone) this.#fail(serverError('server_error', String(error)))
    }
  }

  async #run(): Promise<void> {
    const { writer, readInput } = this.#parts
    const input = await readInput()
    if (writer.isDone) return
    if (input.kind === 'failed') return this.#fail(input.error)
    this.#read = { messages: input.kind === 'messages' ? input.messages : [], context: input.context }
    const answer =
      input.kind === 'messages' ? await this.#runModel(input.messages) : this.#replyWith(input.reply)
    await this.#finishWords()
    this.#finish(answer)
  }

  /** Ends the response immediately, in any state. */
  cancel(reason: 'turn_detected' | 'client_cancelled'): void {
    const { writer } = this.#parts
    writer.finish({
      status: 'cancelled',
      status_details: { type: 'cancelled', reason },
      usage: this.#usage(null),
    })
    this.#abort.abort()
  }

  #replyWith(reply: string): ModelAnswer {
    this.#handleText(reply)
    return { ok: true, calls: [], usage: null, isCutOff: false }
  }

  #runModel(messages: readonly ModelMessage[]): Promise<ModelAnswer> {
    const { model, tools, toolChoice, maxOutputTokens } = this.#parts
    const onText = (delta: string) => this.#handleText(delta)
    return model.respond({ messages, tools, toolChoice, maxOutputTokens, signal: this.#abort.signal, onText })
  }

  #handleText(delta: string): void {
    if (this.#parts.modality === 'text') this.#parts.writer.write(delta)
    else for (const sentence of this.#splitter.push(delta)) this.#queue(sentence)
  }

  async #finishWords(): Promise<void> {
    for (const sentence of this.#splitter.flush()) this.#queue(sentence)
    await this.#spoken
  }

  #queue(sentence: string): void {
    this.#spoken = this.#spoken
      .then(() => this.#speak(sentence))
      .catch((error: unknown) => this.#fallSilent(serverError('speech_failed', String(error))))
  }

  async #speak(text: string): Promise<void> {
    const { writer, voice, voiceName, speed, format, waitForRoom } = this.#parts
    if (writer.isDone || this.#failure !== null) return
    await waitForRoom()
    const result = await voice.speak({ text: text.trim(), voice: voiceName, speed })
    if (!result.ok) {
      this.#fallSilent(speechFailure(result))
      return
    }
    writer.say(text, result.value)
    const bytes = toWire(result.value, format)
    const size = wireBytes(format, soundMilliseconds)
    for (let start = 0; start < bytes.length; start += size) writer.sound(bytes.subarray(start, start + size))
  }

  /** Speech failed, so further text is not needed. */
  #fallSilent(failure: ProtocolError): void {
    this.#failure ??= failure
    this.#abort.abort()
  }

  #finish(answer: ModelAnswer): void {
    const { writer } = this.#parts
    if (writer.isDone) return
    if (this.#failure !== null) return this.#fail(this.#failure)
    if (!answer.ok) return this.#fail(modelFailure(answer))
    for (const call of answer.calls) writer.call(call.callId, call.name, call.arguments)
    writer.finish({ ...endOf(answer.isCutOff), usage: this.#usage(answer.usage) })
  }

  #usage(counted: ModelUsage | null) {
    const { writer, tools } = this.#parts
    return responseUsage({ ...this.#read, tools, output: writer.output, counted })
  }

  #fail(error: ProtocolError): void {
    this.#parts.onFailure(error)
    this.#parts.writer.finish({
      status: 'failed',
      status_details: { type: 'failed', error: { type: error.type, code: error.code } },
    })
  }
}

function endOf(isCutOff: boolean): ResponseEnd {
  if (!isCutOff) return { status: 'completed' }
  return { status: 'incomplete', status_details: { type: 'incomplete', reason: 'max_output_tokens' } }
}

function modelFailure(failure: ServiceFailure): ProtocolError {
  if (failure.kind === 'overloaded') return rateLimited('The engine is overloaded. Try again in a moment.')
  return serverError('text_model_failed', failure.message)
}
