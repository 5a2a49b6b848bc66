import { type ConversationItems, messageText } from '../realtime-dialects/conversation-items.js'
import { type Fields, fieldsOf, textOf } from '../realtime-dialects/json-fields.js'
import type { ProviderCalls } from '../realtime-dialects/provider-calls.js'
import { ignoredSetting } from '../realtime-dialects/request-settings.js'
import { type Emit, errorEvent, unsupportedEvent } from '../realtime-dialects/server-event.js'
import type { ModelTurns, OpenCall } from './model-turns.js'
import { outputText } from './setup.js'

/** Texts that wait for a request are dropped from the front beyond this many characters. */
const maxWaitingCharacters = 200_000
/** Gemini answers only new input. These are sent for a request without any, and after a lost connection. */
const nudges = { answer: 'Please respond.', rest: 'Please continue.' } as const

export interface ClientEventsParts {
  readonly emit: Emit
  readonly items: ConversationItems
  readonly calls: ProviderCalls<OpenCall>
  readonly turns: ModelTurns
  /** Whether the model takes `clientContent` in a running session. */
  readonly takesContent: boolean
  /** Sends a message, or keeps it until a socket is open. */
  readonly send: (message: object) => void
  /** Whether the session is set up. */
  readonly isReady: () => boolean
}

/** An output that waits for the other outputs of its message. */
interface WaitingOutput {
  readonly callId: string
  readonly batch: number
  readonly response: { readonly id?: string; readonly name: string; readonly response: object }
  readonly output: string
}

/**
 * Handles events of the client and the service, except audio. Texts wait for the request that follows them, because Gemini
 * answers each text at once. A request for the answer to outputs sends nothing, because Gemini gives that answer automatically.
 */
export class ClientEvents {
  readonly #parts: ClientEventsParts
  #texts: { readonly itemId: string | null; readonly text: string }[] = []
  #outputs: WaitingOutput[] = []
  #isRequested = false

  constructor(parts: ClientEventsParts) {
    this.#parts = parts
  }

  receive(event: Fields, now: number): void {
    const { emit, items, turns, send } = this.#parts
    switch (event.type) {
      case 'input_audio_buffer.commit':
        if (turns.hasInput) {
          send({ realtimeInput: { audioStreamEnd: true } })
          turns.commit(now)
        } else emit(errorEvent(event, 'input_audio_buffer_commit_empty', 'The buffer contains no audio.'))
        break
      case 'conversation.item.create':
        this.#createItem(event, now)
        break
      case 'conversation.item.retrieve':
        items.retrieve(event)
        break
      case 'conversation.item.truncate':
        items.truncate(event)
        break
      case 'response.create':
        this.#request(event, now)
        break
      case 'response.cancel':
        if (turns.isAnswering || turns.isAnswerDue) turns.cancel()
        else emit(errorEvent(event, 'response_cancel_not_active', 'No response is active.'))
        break
      default:
        emit(unsupportedEvent(event, `Gemini has no counterpart of ${textOf(event.type)}.`))
    }
  }

  /** Sends the request that waited for the setup. */
  flush(now: number): void {
    if (!this.#isRequested || !this.#parts.isReady()) return
    this.#isRequested = false
    const { turns, calls } = this.#parts
    const text = this.#takeText()
    const isAnswerComing = turns.isAnswerDue || calls.size > 0
    if (text !== null || !isAnswerComing) this.#sendText(text ?? nudges.answer, now)
    else if (turns.isSpeechUnanswered) turns.awaitAnswer('speech', now)
  }

  /** Asks for an answer that the former connection owed, unless the user or the client has asked for another one. */
  nudge(owed: keyof typeof nudges, now: number): void {
    const { turns } = this.#parts
    if (!this.#isRequested && !turns.isUserSpeaking) this.#sendText(nudges[owed], now)
  }

  /** The items whose text the model has not read, because it waits for a request. */
  get waitingItemIds(): ReadonlySet<string> {
    return new Set(this.#texts.flatMap(({ itemId }) => itemId ?? []))
  }

  /** The open calls belong to a session that is gone. Their outputs become texts. */
  forgetCalls(): void {
    this.#parts.calls.clear()
    const waiting = this.#outputs
    this.#outputs = []
    for (const { callId, output } of waiting) this.#addText(null, this.#outputText(callId, output))
  }

  /** Gemini no longer waits for these calls. Their outputs become texts, also those that have not been sent. */
  cancelCalls(providerIds: readonly string[], now: number): void {
    this.#parts.calls.cancel(providerIds)
    const isCancelled = ({ response }: WaitingOutput) =>
      response.id !== undefined && providerIds.includes(response.id)
    const cancelled = this.#outputs.filter(isCancelled)
    this.#outputs = this.#outputs.filter((waiting) => !isCancelled(waiting))
    for (const { callId, output } of cancelled) this.#addText(null, this.#outputText(callId, output))
    for (const batch of new Set(this.#outputs.map((waiting) => waiting.batch))) this.#sendBatch(batch, now)
  }

  #createItem(event: Fields, now: number): void {
    const { emit, items } = this.#parts
    const given = fieldsOf(event.item)
    const { text, isTextOnly } = messageText(given)
    const isText = given.type === 'message' && given.role !== 'assistant' && isTextOnly
    if (!isText && given.type !== 'function_call_output')
      return emit(
        unsupportedEvent(event, 'With Gemini, clients add texts of the user and outputs of calls only.'),
      )
    const item = items.create(event)
    if (item === null) return
    if (isText) this.#addText(item.id, text)
    else this.#answerCall(item, now)
  }

  #answerCall(item: Fields, now: number): void {
    const callId = textOf(item.call_id)
    const output = textOf(item.output)
    const call = this.#parts.calls.take(callId)
    if (call === null) return this.#addText(null, this.#outputText(callId, output))
    const { providerId, name, batch } = call
    const id = providerId === null ? {} : { id: providerId }
    // Only calls that do not block the model have a schedule. Others ignore it.
    const response = { ...id, name, response: { output }, scheduling: 'WHEN_IDLE' }
    this.#outputs.push({ callId, batch, response, output })
    this.#sendBatch(batch, now)
  }

  /** Sends the outputs of a message if none of its calls is open. */
  #sendBatch(batch: number, now: number): void {
    if (this.#parts.calls.some((call) => call.batch === batch)) return
    const ready = this.#outputs.filter((other) => other.batch === batch)
    this.#outputs = this.#outputs.filter((other) => other.batch !== batch)
    this.#parts.send({ toolResponse: { functionResponses: ready.map((waiting) => waiting.response) } })
    this.#parts.turns.awaitAnswer('outputs', now)
  }

  #outputText(callId: string, output: string): string {
    const isCall = (item: Fields) => item.type === 'function_call' && item.call_id === callId
    return outputText(textOf(this.#parts.items.all.find(isCall)?.name) || null, output)
  }

  #request(event: Fields, now: number): void {
    const { emit, turns } = this.#parts
    const response = fieldsOf(event.response)
    const problem = requestProblem(event)
    if (problem !== null) return emit(unsupportedEvent(event, problem))
    if (turns.isAnswering) {
      const message = 'Conversation already has an active response.'
      return emit(errorEvent(event, 'conversation_already_has_active_response', message))
    }
    const instructions = textOf(response.instructions)
    if (instructions !== '') this.#addText(null, instructions)
    this.#isRequested = true
    this.flush(now)
  }

  #addText(itemId: string | null, text: string): void {
    if (text === '') return
    this.#texts.push({ itemId, text })
    let characters = this.#texts.reduce((sum, waiting) => sum + waiting.text.length, 0)
    while (characters > maxWaitingCharacters && this.#texts.length > 1)
      characters -= this.#texts.shift()?.text.length ?? 0
  }

  #takeText(): string | null {
    const texts = this.#texts.map(({ text }) => text)
    this.#texts = []
    return texts.length === 0 ? null : texts.join('\n\n')
  }

  #sendText(text: string, now: number): void {
    const { send, turns, takesContent } = this.#parts
    const turn = { role: 'user', parts: [{ text }] }
    send(
      takesContent ? { clientContent: { turns: [turn], turnComplete: true } } : { realtimeInput: { text } },
    )
    turns.awaitAnswer('text', now)
  }
}

const honouredSettings: ReadonlySet<string> = new Set(['instructions', 'output_modalities'])

/** Returns why Gemini cannot answer a request in this way, or null. */
function requestProblem(event: Fields): string | null {
  const { output_modalities: modalities } = fieldsOf(event.response)
  if (Array.isArray(modalities) && !modalities.includes('audio'))
    return 'Gemini does not answer in text only. Request audio.'
  const ignored = ignoredSetting(event, honouredSettings)
  return ignored === null ? null : `Gemini cannot change \`${ignored}\` for one response. Leave it out.`
}
