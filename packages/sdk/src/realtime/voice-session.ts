import { makeDecoder, makeEncoder, type SpeechEncoder } from '../audio/wire-codec.js'
import { ClientCalls } from './client-calls.js'
import type { ClientTools } from './client-tools.js'
import { ResponseQueue } from './response-queue.js'
import type { AudioFormats, SessionEvent } from './session-event.js'
import type { SessionSocket } from './session-socket.js'
import { SpeechOutput } from './speech-output.js'
import type { ToolCall } from './tool-calls.js'
import type { PlayedPart, SpeechChunk, VoiceAudio } from './voice-audio.js'

export interface VoiceSessionOptions {
  readonly tools: ClientTools
  readonly audio: VoiceAudio
  readonly maxMessageBytes: number
  readonly onCall: (call: ToolCall) => void
  readonly onChunk: (chunk: SpeechChunk) => void
  readonly onInterrupted: (part: PlayedPart) => void
}

/** A quarter of a second, so that no chunk exceeds the maximum message size. */
const pieceSamples = 6000
/** Audio that the network has not accepted is worthless seconds later. */
const maxWaitingBytes = 512 * 1024

/** One session: its outgoing messages and the effects of its events. */
export class VoiceSession {
  readonly #options: VoiceSessionOptions
  readonly #socket: SessionSocket
  readonly #responses: ResponseQueue
  readonly #calls: ClientCalls
  readonly #output: SpeechOutput
  readonly #encode: SpeechEncoder

  constructor(options: VoiceSessionOptions, socket: SessionSocket, formats: AudioFormats) {
    this.#options = options
    this.#socket = socket
    this.#encode = makeEncoder(formats.input)
    const send = (message: object) => socket.send(message)
    this.#responses = new ResponseQueue(send)
    this.#calls = new ClientCalls({
      tools: options.tools,
      send: (message) => this.send(message),
      requestResponse: () => this.#responses.request(),
      onCall: options.onCall,
    })
    const { audio, onChunk, onInterrupted } = options
    this.#output = new SpeechOutput({
      audio,
      decode: makeDecoder(formats.output),
      send,
      onChunk,
      onInterrupted,
    })
  }

  handle(event: SessionEvent): void {
    this.#responses.handle(event)
    this.#calls.handle(event)
    switch (event.type) {
      case 'speech.started':
        void this.#output.interrupt()
        break
      case 'response.created':
        this.#output.beginResponse(event.responseId)
        break
      case 'audio.delta':
        this.#output.take(event)
        break
      case 'audio.done':
        this.#output.finish(event.itemId)
        break
      case 'session.provider_changed':
        this.#output.forgetItems()
        break
      case 'response.done':
        for (const itemId of event.itemIds) this.#output.finish(itemId)
        this.#output.endResponse()
    }
  }

  /** Throws if the message exceeds the service's limit, which would end the session. */
  send(message: object): void {
    const bytes = new TextEncoder().encode(JSON.stringify(message)).length
    const { maxMessageBytes } = this.#options
    if (bytes > maxMessageBytes)
      throw new RangeError(`The message has ${bytes} bytes, but the limit is ${maxMessageBytes}.`)
    this.#socket.send(message)
  }

  /** Adds an item to the conversation. A current answer is cancelled. */
  async say(item: object, mustRespond: boolean): Promise<void> {
    const message = { type: 'conversation.item.create', item }
    if (!mustRespond) return this.send(message)
    await this.interrupt()
    this.send(message)
    this.#responses.request()
  }

  async interrupt(): Promise<void> {
    this.#responses.cancel()
    await this.#output.interrupt()
  }

  sendAudio(samples: Int16Array): void {
    for (let start = 0; start < samples.length; start += pieceSamples) {
      if (this.#socket.waitingBytes > maxWaitingBytes) return
      const audio = this.#encode(samples.subarray(start, start + pieceSamples))
      this.#socket.send({ type: 'input_audio_buffer.append', audio })
    }
  }

  close(): void {
    this.#responses.close()
    this.#calls.close()
    this.#socket.close()
  }
}
