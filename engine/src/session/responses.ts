import type { ResponseCreateEvent } from 'openai/resources/realtime/realtime'
import { type WireAudioFormat, wireMilliseconds } from '../audio/wire-audio.js'
import { makeId } from '../protocol/ids.js'
import { invalidRequest, type ProtocolError } from '../protocol/protocol-error.js'
import type { Tell } from '../protocol/server-event.js'
import { findModalityMistake, type SessionConfig, voiceName } from '../protocol/session-config.js'
import { Answer, type Question } from './answer.js'
import { itemOfClient } from './client-item.js'
import type { Conversation } from './conversation.js'
import type { EngineParts } from './engine-parts.js'
import { type Item, textOf } from './item.js'
import { modelMessages, modelToolChoice, modelTools } from './model-messages.js'
import { ResponseWriter } from './response-writer.js'
import type { Transcripts } from './transcripts.js'

export type ResponseParams = NonNullable<ResponseCreateEvent['response']>

export interface ResponsesParts {
  readonly conversationId: string
  readonly conversation: Conversation
  readonly transcripts: Transcripts
  readonly engine: EngineParts
  readonly config: () => SessionConfig
  readonly tell: Tell
  readonly room: () => Promise<void>
  readonly onFailure: (error: ProtocolError) => void
  /** So much sound goes to the client. */
  readonly onSpoken: (milliseconds: number) => void
  /** A response is done; the next one may begin. */
  readonly onDone: () => void
}

interface Active {
  readonly id: string
  readonly answer: Answer
}

/** The responses of a session, of which one at a time is active. */
export class Responses {
  readonly #parts: ResponsesParts
  #active: Active | null = null

  constructor(parts: ResponsesParts) {
    this.#parts = parts
  }

  get isActive(): boolean {
    return this.#active !== null
  }

  create(params: ResponseParams): ProtocolError | null {
    if (this.#active !== null)
      return invalidRequest(
        'conversation_already_has_active_response',
        `Conversation already has an active response in progress: ${this.#active.id}. Wait until the response is finished before creating a new one.`,
      )
    const mistake = findModalityMistake(params.output_modalities, 'response.output_modalities')
    if (mistake !== null) return mistake
    const id = makeId('resp')
    const { writer, answer } = this.#prepare(id, params)
    this.#active = { id, answer }
    writer.start()
    void answer.run().finally(() => this.#release(id))
    return null
  }

  cancel(reason: 'turn_detected' | 'client_cancelled', responseId?: string): ProtocolError | null {
    const active = this.#active
    if (active === null || (responseId !== undefined && responseId !== active.id))
      return invalidRequest('response_cancel_not_active', 'Cancellation failed: no active response found')
    active.answer.cancel(reason)
    this.#release(active.id)
    return null
  }

  #release(id: string): void {
    if (this.#active?.id !== id) return
    this.#active = null
    this.#parts.onDone()
  }

  #prepare(id: string, params: ResponseParams) {
    const { conversationId, conversation, engine, tell, room, onFailure, onSpoken } = this.#parts
    const config = this.#parts.config()
    const modality = params.output_modalities?.[0] ?? config.output_modalities[0]
    const format = (params.audio?.output?.format as WireAudioFormat | undefined) ?? config.audio.output.format
    const voice = voiceName(params.audio?.output?.voice ?? config.audio.output.voice)
    const maxOutputTokens = params.max_output_tokens ?? config.max_output_tokens
    const writer = new ResponseWriter(
      {
        id,
        conversationId: params.conversation === 'none' ? null : conversationId,
        modality,
        format,
        voice,
        maxOutputTokens,
        metadata: params.metadata ?? null,
      },
      (event) => {
        if (event.type === 'response.output_audio.delta')
          onSpoken(wireMilliseconds(format, Buffer.byteLength(event.delta, 'base64')))
        tell(event)
      },
      {
        add: (item) => {
          const inserted = conversation.insert(item)
          return inserted.kind === 'inserted' ? inserted.previousItemId : null
        },
        replace: (item, sentences) => conversation.replace(item, sentences),
      },
    )
    const answer = new Answer({
      writer,
      model: engine.textModel,
      voice: engine.textToSpeech,
      modality,
      format,
      voiceName: voice,
      speed: config.audio.output.speed,
      tools: modelTools((params.tools as SessionConfig['tools'] | undefined) ?? config.tools),
      toolChoice: modelToolChoice(params.tool_choice ?? config.tool_choice),
      maxOutputTokens: maxOutputTokens === 'inf' ? null : maxOutputTokens,
      question: () => this.#question(params.instructions ?? config.instructions, params.input),
      room,
      onFailure,
    })
    return { writer, answer }
  }

  async #question(instructions: string, input: ResponseParams['input']): Promise<Question> {
    const { conversation, transcripts } = this.#parts
    await transcripts.settled()
    const context = input === undefined ? conversation.items : this.#itemsOf(input)
    const last = context.findLast((item) => item.kind !== 'message' || item.role !== 'system')
    const failure = transcripts.failureOf(last)
    if (failure !== null) return { kind: 'failed', error: failure }
    if (last !== undefined && isWithoutWords(last))
      return { kind: 'unheard', reply: unheardReply(last), context }
    return { kind: 'asked', messages: modelMessages(instructions, context), context }
  }

  /** Items that stand in for the conversation: new ones, or the names of old ones. */
  #itemsOf(input: NonNullable<ResponseParams['input']>): Item[] {
    const { conversation } = this.#parts
    return input.flatMap((item) => {
      const isReference = (item.type as string) === 'item_reference'
      const found = isReference
        ? conversation.find(item.id ?? '')
        : itemOfClient(item, this.#parts.config().audio.input.format)
      return found === null ? [] : [found]
    })
  }
}

/** An item without any sound stands for silence. */
function unheardReply(item: Item): string {
  const isSilence =
    item.kind === 'message' && item.parts.every((part) => part.kind === 'audio' && part.clips.length === 0)
  return isSilence ? 'Are you still there?' : 'Sorry, I did not catch that.'
}

function isWithoutWords(item: Item): boolean {
  return (
    item.kind === 'message' &&
    item.role === 'user' &&
    item.parts.some(({ kind }) => kind === 'audio') &&
    item.parts.every((part) => textOf(part).trim() === '')
  )
}
