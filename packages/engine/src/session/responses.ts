import { wireMilliseconds } from '../audio/wire-audio.js'
import type { ResponseParams } from '../protocol/client-event.js'
import { makeId } from '../protocol/ids.js'
import { invalidRequest, type ProtocolError } from '../protocol/protocol-error.js'
import type { Emit } from '../protocol/server-event.js'
import type { SessionConfig } from '../protocol/session-config.js'
import { AnswerItems } from './answer-items.js'
import { itemOfClient } from './client-item.js'
import type { Conversation } from './conversation.js'
import type { EngineParts } from './engine-parts.js'
import { type Item, textOf } from './item.js'
import { modelMessages, modelToolChoice, modelTools } from './model-messages.js'
import { ResponseGeneration, type ResponseInput } from './response-generation.js'
import { ResponseWriter } from './response-writer.js'
import type { Transcripts } from './transcripts.js'

export interface ResponsesParts {
  readonly conversationId: string
  readonly conversation: Conversation
  readonly transcripts: Transcripts
  readonly engine: EngineParts
  readonly config: () => SessionConfig
  readonly emit: Emit
  readonly waitForRoom: () => Promise<void>
  readonly onFailure: (error: ProtocolError) => void
  /** Reports the duration of audio that is sent to the client. */
  readonly onSpoken: (milliseconds: number) => void
  /** Called when a response is done and the next one may begin. */
  readonly onDone: () => void
}

interface Active {
  readonly id: string
  readonly generation: ResponseGeneration
}

/** The responses of a session. Only one is active at a time. */
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
    const id = makeId('resp')
    const { writer, generation } = this.#prepare(id, params)
    this.#active = { id, generation }
    writer.start()
    void generation.run().finally(() => this.#release(id))
    return null
  }

  cancel(reason: 'turn_detected' | 'client_cancelled', responseId?: string): ProtocolError | null {
    const active = this.#active
    if (active === null || (responseId !== undefined && responseId !== active.id))
      return invalidRequest('response_cancel_not_active', 'Cancellation failed: no active response found')
    active.generation.cancel(reason)
    this.#release(active.id)
    return null
  }

  #release(id: string): void {
    if (this.#active?.id !== id) return
    this.#active = null
    this.#parts.onDone()
  }

  #prepare(id: string, params: ResponseParams) {
    const { conversationId, conversation, engine, emit, waitForRoom, onFailure, onSpoken } = this.#parts
    const items = new AnswerItems(conversation)
    const config = this.#parts.config()
    const [modality] = params.output_modalities ?? config.output_modalities
    const format = params.audio?.output?.format ?? config.audio.output.format
    const voice = params.audio?.output?.voice ?? config.audio.output.voice
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
        emit(event)
      },
      items,
    )
    const generation = new ResponseGeneration({
      writer,
      model: engine.textModel,
      voice: engine.textToSpeech,
      modality,
      format,
      voiceName: voice,
      speed: config.audio.output.speed,
      tools: modelTools(params.tools ?? config.tools),
      toolChoice: modelToolChoice(params.tool_choice ?? config.tool_choice),
      maxOutputTokens: maxOutputTokens === 'inf' ? null : maxOutputTokens,
      readInput: () => this.#readInput(items, params.instructions ?? config.instructions, params.input),
      waitForRoom,
      onFailure,
    })
    return { writer, generation }
  }

  async #readInput(
    items: AnswerItems,
    instructions: string,
    input: ResponseParams['input'],
  ): Promise<ResponseInput> {
    const { conversation, transcripts } = this.#parts
    await transcripts.settled()
    items.markRead()
    const context = input === undefined ? conversation.items : this.#itemsOf(input)
    const last = context.findLast((item) => item.kind !== 'message' || item.role !== 'system')
    const failure = transcripts.failureOf(last)
    if (failure !== null) return { kind: 'failed', error: failure }
    if (last !== undefined && hasNoText(last))
      return { kind: 'no_words', reply: replyToSilence(last), context }
    return { kind: 'messages', messages: modelMessages(instructions, context), context }
  }

  /** Items that replace the conversation for this response: new items, or references to existing ones. */
  #itemsOf(input: NonNullable<ResponseParams['input']>): Item[] {
    const { conversation } = this.#parts
    return input.flatMap((item) => {
      if (item.type !== 'item_reference') return [itemOfClient(item, this.#parts.config().audio.input.format)]
      const found = conversation.find(item.id)
      return found === null ? [] : [found]
    })
  }
}

/** An item without audio represents silence. */
function replyToSilence(item: Item): string {
  const isSilence =
    item.kind === 'message' && item.parts.every((part) => part.kind === 'audio' && part.clips.length === 0)
  return isSilence ? 'Are you still there?' : 'Sorry, I did not catch that.'
}

function hasNoText(item: Item): boolean {
  return (
    item.kind === 'message' &&
    item.role === 'user' &&
    item.parts.some(({ kind }) => kind === 'audio') &&
    item.parts.every((part) => textOf(part).trim() === '')
  )
}
