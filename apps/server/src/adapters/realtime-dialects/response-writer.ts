import type { ConversationItems, Item } from './conversation-items.js'
import { type Emit, makeId, nextEventId } from './server-event.js'

export interface ResponseEnd {
  readonly status: 'completed' | 'cancelled' | 'failed' | 'incomplete'
  /** Why the response was cut off. */
  readonly reason?: 'turn_detected' | 'client_cancelled'
  readonly error?: { readonly code: string; readonly message: string }
  /** Null if the provider does not report it. */
  readonly usage: object | null
}

export interface WrittenCall {
  readonly callId: string
  readonly name: string
  /** JSON text. */
  readonly argumentsText: string
}

interface OpenMessage {
  readonly id: string
  readonly outputIndex: number
  /** The beginning of its audio frames, up to the Base64 text. */
  readonly audioStart: string
  words: string
  isAudioDone: boolean
}

/*
 * Writes the responses of a model that speaks, one at a time. Everything that was opened is closed in order.
 *
 *   idle ──begin, or first content──► active ──end──► idle
 *             sound or words: the message opens      a call or the end: it closes
 */
export class ResponseWriter {
  readonly #emit: Emit
  readonly #items: ConversationItems
  readonly #voice: string
  #responseId: string | null = null
  #output: Item[] = []
  #message: OpenMessage | null = null

  constructor(emit: Emit, items: ConversationItems, voice: string) {
    this.#emit = emit
    this.#items = items
    this.#voice = voice
  }

  get isActive(): boolean {
    return this.#responseId !== null
  }

  /** Whether the response has said or called anything. */
  get hasOutput(): boolean {
    return this.#message !== null || this.#output.length > 0
  }

  begin(): void {
    if (this.#responseId !== null) return
    this.#responseId = makeId('resp')
    this.#output = []
    this.#emit({
      type: 'response.created',
      response: this.#response({ status: 'in_progress', status_details: null, usage: null }),
    })
  }

  /** Adds audio in Base64, in the format of the session. */
  addAudio(base64: string): void {
    if (this.#message?.isAudioDone) this.#closeMessage('completed')
    const { audioStart } = this.#openMessage()
    const audio = isPlain(base64) ? base64 : Buffer.from(base64, 'base64').toString('base64')
    this.#emit(Buffer.from(`${audioStart}${nextEventId()}","delta":"${audio}"}`, 'latin1'))
  }

  /** Adds words of the transcript. They may come before or after their sound. */
  addWords(words: string): void {
    if (words === '') return
    const message = this.#openMessage()
    const delta = message.words === '' ? words.trimStart() : words
    if (delta === '') return
    message.words += delta
    this.#emit({ type: 'response.output_audio_transcript.delta', ...this.#place(message), delta })
  }

  /** The model has said everything. Words may still follow. */
  finishAudio(): void {
    const message = this.#message
    if (message === null || message.isAudioDone) return
    message.isAudioDone = true
    this.#emit({ type: 'response.output_audio.done', ...this.#place(message) })
  }

  addCall({ callId, name, argumentsText }: WrittenCall): void {
    this.begin()
    this.#closeMessage('completed')
    const output_index = this.#output.length
    const call = { object: 'realtime.item', type: 'function_call', call_id: callId, name }
    const item = { id: makeId('item'), ...call, status: 'in_progress', arguments: '' }
    const place = { response_id: this.#responseId, item_id: item.id, output_index, call_id: callId }
    this.#emitItem('added', item, output_index)
    this.#items.add(item)
    this.#emit({ type: 'response.function_call_arguments.delta', ...place, delta: argumentsText })
    const done = 'response.function_call_arguments.done'
    this.#emit({ type: done, ...place, name, arguments: argumentsText })
    this.#finishItem({ ...item, status: 'completed', arguments: argumentsText }, output_index)
  }

  /** Ends the response. Without one, nothing happens. */
  end({ status, reason, error, usage }: ResponseEnd): void {
    if (this.#responseId === null) return
    this.#closeMessage(status === 'completed' ? 'completed' : 'incomplete')
    const details = { type: status, ...(reason && { reason }), ...(error && { error }) }
    const status_details = status === 'completed' ? null : details
    this.#emit({ type: 'response.done', response: this.#response({ status, status_details, usage }) })
    this.#responseId = null
    this.#output = []
  }

  #openMessage(): OpenMessage {
    this.begin()
    if (this.#message !== null) return this.#message
    const id = makeId('item')
    const outputIndex = this.#output.length
    const place = { response_id: this.#responseId, item_id: id, output_index: outputIndex, content_index: 0 }
    const fields = JSON.stringify({ type: 'response.output_audio.delta', ...place }).slice(0, -1)
    const audioStart = `${fields},"event_id":"`
    this.#message = { id, outputIndex, audioStart, words: '', isAudioDone: false }
    const item = messageItem(id, 'in_progress', [])
    this.#emitItem('added', item, outputIndex)
    this.#items.add(item)
    const part = { type: 'audio', transcript: '' }
    this.#emit({ type: 'response.content_part.added', ...place, part })
    return this.#message
  }

  #closeMessage(status: 'completed' | 'incomplete'): void {
    const message = this.#message
    if (message === null) return
    this.finishAudio()
    this.#message = null
    const place = this.#place(message)
    const transcript = message.words
    this.#emit({ type: 'response.output_audio_transcript.done', ...place, transcript })
    this.#emit({ type: 'response.content_part.done', ...place, part: { type: 'audio', transcript } })
    const content = [{ type: 'output_audio', transcript }]
    this.#finishItem(messageItem(message.id, status, content), message.outputIndex)
  }

  #finishItem(item: Item, outputIndex: number): void {
    this.#output.push(item)
    this.#items.finish(item)
    this.#emitItem('done', item, outputIndex)
  }

  #emitItem(what: 'added' | 'done', item: Item, output_index: number): void {
    const type = `response.output_item.${what}`
    this.#emit({ type, response_id: this.#responseId, output_index, item })
  }

  #place({ id, outputIndex }: OpenMessage) {
    return { response_id: this.#responseId, item_id: id, output_index: outputIndex, content_index: 0 }
  }

  #response(state: object): object {
    return {
      object: 'realtime.response',
      id: this.#responseId,
      ...state,
      output: this.#output,
      output_modalities: ['audio'],
      max_output_tokens: 'inf',
      metadata: null,
      conversation_id: this.#items.conversationId,
      audio: { output: { format: { type: 'audio/pcm', rate: 24000 }, voice: this.#voice } },
    }
  }
}

function messageItem(id: string, status: string, content: readonly object[]): Item {
  return { id, object: 'realtime.item', type: 'message', role: 'assistant', status, content }
}

/** Returns whether Base64 can be in a frame as it is. A search for each of these is ten times as fast as one for all others. */
function isPlain(base64: string): boolean {
  return !['"', '\\', '-', '_', '\n'].some((character) => base64.includes(character))
}
