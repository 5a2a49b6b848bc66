import { type EndReason, endReasons } from '@parley/contract'
import type { FrameSocket, FrameSocketEvents } from '@parley/relay-socket'
import { isAudioAppend } from '../realtime/protocol/audio-frames.js'
import { isObject, objectField, parseJson, textField } from '../realtime/protocol/json-fields.js'
import { firstMessageRequest } from '../realtime/protocol/service-frames.js'

/** The audio of a passage, which is one part of one item of the model. */
export interface SpokenAudio {
  /** The item and the index of its part, for `heard`. */
  readonly passage: string
  readonly sound: Buffer
}

/** A tool of the client that the model calls. */
export interface CalledTool {
  readonly callId: string
  readonly name: string
  /** JSON. */
  readonly arguments: string
}

/** Listens to a session as its client. */
export interface SessionClientListener {
  /** Called when the provider has confirmed the configuration. */
  configured(): void
  spoken(audio: SpokenAudio): void
  /** Called when the other party begins to speak, so that the agent falls silent. */
  interrupted(): void
  /** Called when the model calls a tool of the client. */
  toolCalled(call: CalledTool): void
  responseDone(): void
  /** Called when a tool call waits for a decision of the client, or no longer waits. */
  approval(callId: string, isWaiting: boolean): void
  /** Called once. Nothing follows. */
  ended(reason: EndReason, detail: string): void
}

const normalClosure = 1000

/** The maximum number of waiting frames. Beyond it, the oldest audio is dropped. */
const maxWaitingFrames = 500

const textMessage = (text: string) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
})

/**
 * The client of a realtime session in this process: the session's socket, without a network. Frames are delivered in a
 * later microtask, as by a network, so that neither side is entered while it sends.
 */
export class SessionClient {
  /** The end of the socket that the session uses. */
  readonly socket: FrameSocket
  readonly #listener: SessionClientListener
  #events: FrameSocketEvents | null = null
  #waiting: Buffer[] = []
  #isPaused = false
  #isClosed = false
  #firstWords: string | null = null
  /** The detail of the error event that precedes the end. */
  #lastError = ''

  constructor(listener: SessionClientListener) {
    this.#listener = listener
    const later = (action: () => void) => queueMicrotask(action)
    this.socket = {
      bufferedBytes: 0,
      listen: (events) => {
        this.#events = events
        later(() => (this.#isClosed ? events.closed(normalClosure, '') : this.#flush()))
      },
      send: (data, _isBinary, onFlushed) => {
        later(() => this.#receive(data.toString()))
        if (onFlushed) later(onFlushed)
      },
      ping: () => later(() => this.#events?.pong()),
      pause: () => {
        this.#isPaused = true
      },
      resume: () => {
        this.#isPaused = false
        later(() => this.#flush())
      },
      close: (_code, reason) => later(() => this.#end(reason)),
    }
  }

  append(sound: Uint8Array): void {
    const audio = Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength).toString('base64')
    this.#send({ type: 'input_audio_buffer.append', audio })
  }

  /** Tells the model something that the other party did, and requests a response. */
  tell(text: string): void {
    this.#send(textMessage(text))
    this.respond()
  }

  /** Requests a response. The first one consists of the prepared words, if there are any. */
  respond(): void {
    const words = this.#firstWords
    this.#firstWords = null
    this.#send(words === null ? { type: 'response.create' } : firstMessageRequest(words))
  }

  /** Sets the words of the first response. */
  prepareFirstWords(words: string): void {
    this.#firstWords = words
  }

  /** Tells the model how much of a passage the other party has heard. */
  heard(passage: string, milliseconds: number): void {
    const [itemId = '', index] = passage.split('/')
    const fields = { item_id: itemId, content_index: Number(index), audio_end_ms: Math.round(milliseconds) }
    this.#send({ type: 'conversation.item.truncate', ...fields })
  }

  answerToolCall(callId: string, output: object): void {
    const item = { type: 'function_call_output', call_id: callId, output: JSON.stringify(output) }
    this.#send({ type: 'conversation.item.create', item })
  }

  decide(callId: string, isApproved: boolean): void {
    this.#send({ type: isApproved ? 'approval.approve' : 'approval.reject', callId })
  }

  /** Closes the session, as a client that leaves. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    queueMicrotask(() => this.#events?.closed(normalClosure, ''))
  }

  #send(event: object): void {
    if (this.#isClosed) return
    this.#waiting.push(Buffer.from(JSON.stringify(event)))
    if (this.#waiting.length > maxWaitingFrames) this.#dropOldestAudio()
    if (this.#waiting.length === 1) queueMicrotask(() => this.#flush())
  }

  #dropOldestAudio(): void {
    const oldest = this.#waiting.findIndex(isAudioAppend)
    if (oldest >= 0) this.#waiting.splice(oldest, 1)
  }

  #flush(): void {
    while (this.#events !== null && !this.#isPaused && !this.#isClosed) {
      const frame = this.#waiting.shift()
      if (frame === undefined) return
      this.#events.frame(frame, false)
    }
  }

  #receive(text: string): void {
    if (this.#isClosed) return
    const event = parseJson(text)
    if (!isObject(event)) return
    const type = textField(event, 'type') ?? ''
    switch (type) {
      case 'session.updated':
        return this.#listener.configured()
      case 'response.output_audio.delta':
      case 'response.audio.delta':
        return this.#listener.spoken({
          passage: `${textField(event, 'item_id')}/${Number(event.content_index ?? 0)}`,
          sound: Buffer.from(textField(event, 'delta') ?? '', 'base64'),
        })
      case 'input_audio_buffer.speech_started':
        return this.#listener.interrupted()
      case 'response.function_call_arguments.done':
        return this.#listener.toolCalled(calledTool(event))
      // Some providers name the tool only here.
      case 'response.output_item.done': {
        const item = objectField(event, 'item')
        if (textField(item, 'type') !== 'function_call') return
        return this.#listener.toolCalled(calledTool(item))
      }
      case 'response.done':
        return this.#listener.responseDone()
      case 'approval.waiting':
      case 'approval.approved':
      case 'approval.expired':
      case 'response.function_invocation.done': {
        const data = objectField(event, 'data')
        const isWaiting = type === 'approval.waiting' && textField(data, 'approvedBy') !== 'staff'
        return this.#listener.approval(textField(data, 'callId') ?? '', isWaiting)
      }
      case 'error':
        this.#lastError = textField(objectField(event, 'error'), 'message') ?? ''
    }
  }

  #end(reason: string): void {
    if (this.#isClosed) return
    this.#isClosed = true
    const known = endReasons.find((each) => each === reason) ?? 'internal'
    this.#listener.ended(known, this.#lastError)
  }
}

const calledTool = (fields: Parameters<typeof textField>[0]): CalledTool => ({
  callId: textField(fields, 'call_id') ?? '',
  name: textField(fields, 'name') ?? '',
  arguments: textField(fields, 'arguments') ?? '{}',
})
