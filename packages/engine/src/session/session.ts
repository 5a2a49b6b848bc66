import type { AudioClip } from '../audio/pcm.js'
import { type ClientEvent, decodeClientFrame } from '../protocol/client-event.js'
import { makeId } from '../protocol/ids.js'
import { invalidRequest, type ProtocolError } from '../protocol/protocol-error.js'
import { errorEvent, type ServerEvent, type ServerEventBody, serverEvent } from '../protocol/server-event.js'
import { changeSession, defaultSession, type SessionConfig } from '../protocol/session-config.js'
import type { SessionUpdate } from '../protocol/session-schema.js'
import { failed, type Outcome } from '../runtime/outcome.js'
import { itemOfClient } from './client-item.js'
import { Conversation } from './conversation.js'
import type { EngineParts } from './engine-parts.js'
import { IdleWatch } from './idle-watch.js'
import { ItemOperations } from './item-operations.js'
import { Responses } from './responses.js'
import { SpeechInput, type Utterance } from './speech-input.js'
import { Transcripts } from './transcripts.js'

/** The client's socket, as a session sees it. */
export interface Client {
  send(event: ServerEvent): void
  /** Resolves when there is room for more. */
  waitForRoom(): Promise<void>
}

/** One client's session: decodes its events and calls the parts that handle them. Contains no rules itself. */
export class Session {
  readonly #engine: EngineParts
  readonly #client: Client
  readonly #conversation = new Conversation()
  readonly #items: ItemOperations
  readonly #responses: Responses
  readonly #speech: SpeechInput
  readonly #idle = new IdleWatch(() => this.#onIdle())
  #config: SessionConfig
  #isPrepared = false
  #hasSpoken = false
  /** Speech ended during a response that must not be interrupted. Its own response comes next. */
  #owesResponse = false
  #isClosed = false

  constructor(engine: EngineParts, client: Client, model: string, expiresAtSeconds: number) {
    this.#engine = engine
    this.#client = client
    this.#config = defaultSession(makeId('sess'), model, expiresAtSeconds)
    const emit = (event: ServerEventBody) => this.#emit(event)
    const config = () => this.#config
    const transcripts = new Transcripts(this.#conversation, emit)
    this.#items = new ItemOperations({
      conversation: this.#conversation,
      transcripts,
      config,
      transcribe: (clip) => this.#transcribe(clip),
      emit,
    })
    this.#responses = new Responses({
      conversationId: makeId('conv'),
      conversation: this.#conversation,
      transcripts,
      engine,
      config,
      emit,
      waitForRoom: () => client.waitForRoom(),
      onFailure: (error) => this.#emitError(error, null),
      onSpoken: (milliseconds) => {
        this.#hasSpoken = true
        this.#idle.played(milliseconds)
      },
      onDone: () => this.#afterResponse(),
    })
    const { input } = this.#config.audio
    this.#speech = new SpeechInput(
      {
        voiceActivity: engine.voiceActivity,
        guess: (clip) => this.#transcribe(clip),
        canGuess: () => engine.speechToText.canGuess,
        onStarted: (itemId, atMilliseconds) => this.#onSpeechStarted(itemId, atMilliseconds),
        onStopped: (itemId, atMilliseconds) =>
          this.#emit({
            type: 'input_audio_buffer.speech_stopped',
            item_id: itemId,
            audio_end_ms: atMilliseconds,
          }),
        onUtterance: (utterance) => this.#onUtterance(utterance),
        onError: (error) => this.#emitError(error, null),
      },
      input.format,
      input.turn_detection,
    )
  }

  start(): void {
    this.#emit({ type: 'session.created', session: this.#config })
  }

  receive(frame: string): void {
    const decoded = decodeClientFrame(frame)
    if (!decoded.ok) return this.#emitError(decoded.error, decoded.eventId)
    const error = this.#handle(decoded.event)
    if (error !== null) this.#emitError(error, decoded.event.event_id ?? null)
  }

  /** Called when the session reaches its maximum duration. */
  expire(minutes: number): void {
    this.#emitError(
      invalidRequest('session_expired', `Your session hit the maximum duration of ${minutes} minutes.`),
      null,
    )
  }

  close(): void {
    this.#isClosed = true
    this.#idle.stop()
    this.#speech.clear()
    if (this.#responses.isActive) this.#responses.cancel('client_cancelled')
  }

  #handle(event: ClientEvent): ProtocolError | null {
    switch (event.type) {
      case 'session.update':
        return this.#update(event.session)
      case 'input_audio_buffer.append':
        return this.#append(event.audio)
      case 'input_audio_buffer.commit':
        return this.#speech.commit()
      case 'input_audio_buffer.clear':
        this.#speech.clear()
        this.#emit({ type: 'input_audio_buffer.cleared' })
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
          `'${event.type}' works only with WebRTC and SIP connections.`,
          'type',
        )
    }
  }

  #update(update: SessionUpdate): ProtocolError | null {
    const change = changeSession(this.#config, update, this.#hasSpoken)
    if (!change.ok) return change.error
    this.#config = change.config
    const { format, turn_detection } = change.config.audio.input
    this.#speech.configure(format, turn_detection)
    this.#emit({ type: 'session.updated', session: change.config })
    return null
  }

  /** The user is about to speak. Loads the models during the speech. */
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
    this.#speech.append(bytes)
    return null
  }

  #onSpeechStarted(itemId: string, atMilliseconds: number): void {
    this.#emit({ type: 'input_audio_buffer.speech_started', item_id: itemId, audio_start_ms: atMilliseconds })
    const isInterrupting = this.#config.audio.input.turn_detection?.interrupt_response === true
    this.#idle.stop()
    if (isInterrupting && this.#responses.isActive) this.#responses.cancel('turn_detected')
  }

  /** Silence is an utterance without content. */
  #onIdle(): void {
    if (this.#responses.isActive || this.#speech.isSpeaking) return
    const itemId = makeId('item')
    const endMilliseconds = this.#speech.endMilliseconds
    this.#emit({
      type: 'input_audio_buffer.timeout_triggered',
      item_id: itemId,
      audio_start_ms: endMilliseconds,
      audio_end_ms: endMilliseconds,
    })
    this.#items.addSilence(itemId)
    this.#respond()
  }

  #onUtterance({ itemId, clip, guess }: Utterance): void {
    this.#items.addSpeech(itemId, clip, guess)
    if (this.#config.audio.input.turn_detection?.create_response === true) this.#respond()
  }

  #respond(): void {
    if (this.#responses.isActive) this.#owesResponse = true
    else this.#responses.create({})
  }

  #afterResponse(): void {
    const { limit, remaining } = this.#engine.capacity()
    this.#emit({
      type: 'rate_limits.updated',
      rate_limits: [{ name: 'requests', limit, remaining, reset_seconds: 0 }],
    })
    if (this.#isClosed) return
    this.#idle.start(this.#config.audio.input.turn_detection)
    if (!this.#owesResponse) return
    this.#owesResponse = false
    this.#responses.create({})
  }

  /** Never rejects, even if the transcriber breaks its contract. */
  async #transcribe(clip: AudioClip): Promise<Outcome<string>> {
    const { model, language, prompt } = this.#config.audio.input.transcription ?? {}
    try {
      return await this.#engine.speechToText.transcribe(clip, { model, language, prompt })
    } catch (error) {
      return failed(String(error))
    }
  }

  #emitError(error: ProtocolError, eventId: string | null): void {
    this.#emit(errorEvent(error, eventId))
  }

  #emit(event: ServerEventBody): void {
    if (!this.#isClosed) this.#client.send(serverEvent(event))
  }
}
