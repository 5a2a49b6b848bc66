import type { AudioClip } from '../audio/pcm.js'
import { type ClientEvent, readClientFrame } from '../protocol/client-event.js'
import { makeId } from '../protocol/ids.js'
import { invalidRequest, type ProtocolError } from '../protocol/protocol-error.js'
import { errorEvent, type ServerEvent, type ServerEventBody, serverEvent } from '../protocol/server-event.js'
import {
  changeSession,
  defaultSession,
  type SessionConfig,
  type SessionUpdate,
} from '../protocol/session-config.js'
import type { Outcome } from '../workers/outcome.js'
import { itemOfClient } from './client-item.js'
import { Conversation } from './conversation.js'
import type { EngineParts } from './engine-parts.js'
import { type HeardTurn, Hearing } from './hearing.js'
import { IdleWatch } from './idle-watch.js'
import { ItemDesk } from './item-desk.js'
import { Responses } from './responses.js'
import { Transcripts } from './transcripts.js'

/** The client's socket as a session sees it. */
export interface Client {
  send(event: ServerEvent): void
  /** Comes when what was sent is on its way. */
  room(): Promise<void>
}

/** One client's conversation: reads its events, and drives the parts that answer them. Holds no rule of its own. */
export class Session {
  readonly #engine: EngineParts
  readonly #client: Client
  readonly #conversation = new Conversation()
  readonly #items: ItemDesk
  readonly #responses: Responses
  readonly #hearing: Hearing
  readonly #idle = new IdleWatch(() => this.#onIdle())
  #config: SessionConfig
  #isPrepared = false
  #hasSpoken = false
  /** A turn ended while a response was not to be interrupted: its answer comes next. */
  #owesResponse = false
  #isClosed = false

  constructor(engine: EngineParts, client: Client, model: string, expiresAtSeconds: number) {
    this.#engine = engine
    this.#client = client
    this.#config = defaultSession(makeId('sess'), model, expiresAtSeconds)
    const tell = (event: ServerEventBody) => this.#tell(event)
    const config = () => this.#config
    const transcripts = new Transcripts(this.#conversation, tell)
    this.#items = new ItemDesk({
      conversation: this.#conversation,
      transcripts,
      config,
      transcribe: (clip) => this.#transcribe(clip),
      tell,
    })
    this.#responses = new Responses({
      conversationId: makeId('conv'),
      conversation: this.#conversation,
      transcripts,
      engine,
      config,
      tell,
      room: () => client.room(),
      onFailure: (error) => this.#refuse(error, null),
      onSpoken: (milliseconds) => {
        this.#hasSpoken = true
        this.#idle.played(milliseconds)
      },
      onDone: () => this.#afterResponse(),
    })
    const { input } = this.#config.audio
    this.#hearing = new Hearing(
      {
        voiceActivity: engine.voiceActivity,
        guess: (clip) => this.#transcribe(clip),
        canGuess: () => engine.speechToText.canGuess,
        onStarted: (itemId, atMilliseconds) => this.#onSpeechStarted(itemId, atMilliseconds),
        onStopped: (itemId, atMilliseconds) =>
          this.#tell({
            type: 'input_audio_buffer.speech_stopped',
            item_id: itemId,
            audio_end_ms: atMilliseconds,
          }),
        onTurn: (turn) => this.#onTurn(turn),
        onTrouble: (error) => this.#refuse(error, null),
      },
      input.format,
      input.turn_detection,
    )
  }

  start(): void {
    this.#tell({ type: 'session.created', session: this.#config })
  }

  receive(frame: string): void {
    const read = readClientFrame(frame)
    if (read.kind === 'mistake') return this.#refuse(read.error, read.eventId)
    const error = this.#act(read.event)
    if (error !== null) this.#refuse(error, read.event.event_id ?? null)
  }

  /** The session has lasted as long as it may. */
  expire(minutes: number): void {
    this.#refuse(
      invalidRequest('session_expired', `Your session hit the maximum duration of ${minutes} minutes.`),
      null,
    )
  }

  close(): void {
    this.#isClosed = true
    this.#idle.stop()
    this.#hearing.clear()
    if (this.#responses.isActive) this.#responses.cancel('client_cancelled')
  }

  #act(event: ClientEvent): ProtocolError | null {
    switch (event.type) {
      case 'session.update':
        return this.#update(event.session as SessionUpdate)
      case 'input_audio_buffer.append':
        return this.#append(event.audio)
      case 'input_audio_buffer.commit':
        return this.#hearing.commit()
      case 'input_audio_buffer.clear':
        this.#hearing.clear()
        this.#tell({ type: 'input_audio_buffer.cleared' })
        return null
      case 'conversation.item.create':
        return this.#items.create(
          itemOfClient(event.item, this.#config.audio.input.format),
          event.previous_item_id ?? null,
        )
      case 'conversation.item.retrieve':
        return this.#items.retrieve(event.item_id)
      case 'conversation.item.truncate':
        return this.#items.truncate(event.item_id, event.content_index, event.audio_end_ms)
      case 'conversation.item.delete':
        return this.#items.remove(event.item_id)
      case 'response.create':
        return this.#responses.create(event.response ?? {})
      case 'response.cancel':
        return this.#responses.cancel('client_cancelled', event.response_id)
      case 'output_audio_buffer.clear':
        return invalidRequest(
          'invalid_value',
          `'${event.type}' is for WebRTC and SIP connections alone.`,
          'type',
        )
    }
  }

  #update(update: SessionUpdate): ProtocolError | null {
    const change = changeSession(this.#config, update, this.#hasSpoken)
    if (change.kind === 'refused') return change.error
    this.#config = change.config
    const { format, turn_detection } = change.config.audio.input
    this.#hearing.configure(format, turn_detection)
    this.#tell({ type: 'session.updated', session: change.config })
    return null
  }

  /** Somebody is about to speak: what that needs is loaded while they do. */
  #prepare(): void {
    if (this.#isPrepared) return
    this.#isPrepared = true
    this.#engine.speechToText.prepare?.()
    this.#engine.textModel.prepare?.()
    this.#engine.textToSpeech.prepare?.()
  }

  #append(audio: string): ProtocolError | null {
    this.#prepare()
    const bytes = Buffer.from(audio, 'base64')
    const expected = Math.floor((audio.replace(/=+$/, '').length * 3) / 4)
    if (bytes.length !== expected)
      return invalidRequest('invalid_value', "Invalid 'audio'. Expected base64-encoded audio bytes.", 'audio')
    this.#hearing.append(bytes)
    return null
  }

  #onSpeechStarted(itemId: string, atMilliseconds: number): void {
    this.#tell({ type: 'input_audio_buffer.speech_started', item_id: itemId, audio_start_ms: atMilliseconds })
    const isInterrupting = this.#config.audio.input.turn_detection?.interrupt_response === true
    this.#idle.stop()
    if (isInterrupting && this.#responses.isActive) this.#responses.cancel('turn_detected')
  }

  /** Silence is a turn like any other, with nothing in it. */
  #onIdle(): void {
    if (this.#responses.isActive || this.#hearing.isInTurn) return
    const itemId = makeId('item')
    const endMilliseconds = this.#hearing.endMilliseconds
    this.#tell({
      type: 'input_audio_buffer.timeout_triggered',
      item_id: itemId,
      audio_start_ms: endMilliseconds,
      audio_end_ms: endMilliseconds,
    })
    this.#items.addSilence(itemId)
    this.#respond()
  }

  #onTurn({ itemId, clip, guess }: HeardTurn): void {
    this.#items.addSpeech(itemId, clip, guess)
    if (this.#config.audio.input.turn_detection?.create_response === true) this.#respond()
  }

  #respond(): void {
    if (this.#responses.isActive) this.#owesResponse = true
    else this.#responses.create({})
  }

  #afterResponse(): void {
    const { limit, remaining } = this.#engine.capacity()
    this.#tell({
      type: 'rate_limits.updated',
      rate_limits: [{ name: 'requests', limit, remaining, reset_seconds: 0 }],
    })
    if (this.#isClosed) return
    this.#idle.start(this.#config.audio.input.turn_detection)
    if (!this.#owesResponse) return
    this.#owesResponse = false
    this.#responses.create({})
  }

  /** Never rejects, whoever hears. */
  async #transcribe(clip: AudioClip): Promise<Outcome<string>> {
    const { model, language, prompt } = this.#config.audio.input.transcription ?? {}
    try {
      return await this.#engine.speechToText.transcribe(clip, { model, language, prompt })
    } catch (error) {
      return { outcome: 'failed', message: String(error) }
    }
  }

  #refuse(error: ProtocolError, eventId: string | null): void {
    this.#tell(errorEvent(error, eventId))
  }

  #tell(event: ServerEventBody): void {
    if (!this.#isClosed) this.#client.send(serverEvent(event))
  }
}
