import type { AudioClip } from '../audio/pcm.js'
import type { WireAudioFormat } from '../audio/wire-audio.js'
import { makeId } from '../protocol/ids.js'
import type { Emit, WireResponse } from '../protocol/server-event.js'
import { type AudioPart, type CallItem, type Item, type MessageItem, textOf, wireItem } from './item.js'

/*
 * One response as the client sees it. Everything that was opened is closed in order, however the response ends.
 *
 *   created ──text or speech──► message open ──finish──► done
 *      │                            │  (the next call closes the message)
 *      └──────────call──────────────┴──► call sent ──finish──► done
 */
export interface ResponseSetup {
  readonly id: string
  /** Null if the response is not part of the conversation. */
  readonly conversationId: string | null
  readonly modality: 'text' | 'audio'
  readonly format: WireAudioFormat
  readonly voice: string
  readonly maxOutputTokens: number | 'inf'
  readonly metadata: WireResponse['metadata']
}

/** Receives the response's items. */
export interface ItemSink {
  /** Returns the id of the preceding item. */
  add(item: Item): string | null
  replace(item: Item, sentences?: readonly string[]): void
}

export type ResponseEnd = Pick<WireResponse, 'status_details' | 'usage'> & {
  readonly status: 'completed' | 'cancelled' | 'failed' | 'incomplete'
}

interface OpenMessage {
  readonly item: MessageItem
  readonly outputIndex: number
  readonly sentences: string[]
}

export class ResponseWriter {
  readonly #setup: ResponseSetup
  readonly #emit: Emit
  readonly #sink: ItemSink
  readonly #output: Item[] = []
  #message: OpenMessage | null = null
  /** The item before the open item. */
  #previousItemId: string | null = null
  #isDone = false

  constructor(setup: ResponseSetup, emit: Emit, sink: ItemSink) {
    this.#setup = setup
    this.#emit = emit
    this.#sink = sink
  }

  get isDone(): boolean {
    return this.#isDone
  }

  /** All output items so far. */
  get output(): readonly Item[] {
    return this.#message === null ? this.#output : [...this.#output, this.#message.item]
  }

  start(): void {
    this.#emit({ type: 'response.created', response: this.#response({ status: 'in_progress' }) })
  }

  /** Writes a piece of a text answer. */
  write(delta: string): void {
    if (this.#isDone || delta === '') return
    const message = this.#openMessage({ kind: 'text', text: '' })
    this.#change(message, { kind: 'text', text: textOfMessage(message.item) + delta })
    this.#emit({ type: 'response.output_text.delta', ...this.#place(message), delta })
  }

  /** Writes the words of a sentence. Its audio follows. */
  say(sentence: string, clip: AudioClip): void {
    if (this.#isDone) return
    const message = this.#openMessage({ kind: 'audio', transcript: '', clips: [] })
    const part = message.item.parts[0] as AudioPart
    message.sentences.push(sentence)
    this.#change(message, {
      kind: 'audio',
      transcript: (part.transcript ?? '') + sentence,
      clips: [...part.clips, clip],
    })
    this.#emit({ type: 'response.output_audio_transcript.delta', ...this.#place(message), delta: sentence })
  }

  /** Writes a chunk of audio for the last sentence. */
  sound(delta: Buffer): void {
    if (this.#isDone || this.#message === null) return
    this.#emit({
      type: 'response.output_audio.delta',
      ...this.#place(this.#message),
      delta: delta.toString('base64'),
    })
  }

  call(callId: string, name: string, args: string): void {
    if (this.#isDone) return
    this.#closeMessage('completed')
    const item: CallItem = {
      kind: 'call',
      id: makeId('item'),
      status: 'in_progress',
      callId,
      name,
      arguments: '',
    }
    const place = { response_id: this.#setup.id, item_id: item.id, output_index: this.#output.length }
    this.#addItem(item, place.output_index)
    this.#emit({ type: 'response.function_call_arguments.delta', ...place, call_id: callId, delta: args })
    this.#emit({
      type: 'response.function_call_arguments.done',
      ...place,
      call_id: callId,
      name,
      arguments: args,
    })
    this.#finishItem({ ...item, status: 'completed', arguments: args }, place.output_index)
  }

  /** Ends the response. Later writes are ignored. */
  finish(end: ResponseEnd): void {
    if (this.#isDone) return
    this.#closeMessage(end.status === 'completed' ? 'completed' : 'incomplete')
    this.#isDone = true
    this.#emit({ type: 'response.done', response: this.#response(end) })
  }

  #openMessage(empty: MessageItem['parts'][number]): OpenMessage {
    if (this.#message !== null) return this.#message
    const item: MessageItem = {
      kind: 'message',
      id: makeId('item'),
      role: 'assistant',
      status: 'in_progress',
      parts: [],
    }
    const message: OpenMessage = {
      item: { ...item, parts: [empty] },
      outputIndex: this.#output.length,
      sentences: [],
    }
    this.#addItem(item, message.outputIndex)
    this.#message = message
    this.#emit({
      type: 'response.content_part.added',
      ...this.#place(message),
      part: empty.kind === 'text' ? { type: 'text', text: '' } : { type: 'audio', transcript: '' },
    })
    return message
  }

  #closeMessage(status: 'completed' | 'incomplete'): void {
    const message = this.#message
    if (message === null) return
    this.#message = null
    const place = this.#place(message)
    const text = textOfMessage(message.item)
    if (message.item.parts[0]?.kind === 'audio') {
      this.#emit({ type: 'response.output_audio.done', ...place })
      this.#emit({ type: 'response.output_audio_transcript.done', ...place, transcript: text })
      this.#emit({ type: 'response.content_part.done', ...place, part: { type: 'audio', transcript: text } })
    } else {
      this.#emit({ type: 'response.output_text.done', ...place, text })
      this.#emit({ type: 'response.content_part.done', ...place, part: { type: 'text', text } })
    }
    this.#finishItem({ ...message.item, status }, message.outputIndex, message.sentences)
  }

  #change(message: OpenMessage, part: MessageItem['parts'][number]): void {
    this.#message = { ...message, item: { ...message.item, parts: [part] } }
    if (this.#isInConversation) this.#sink.replace(this.#message.item, message.sentences)
  }

  #addItem(item: Item, outputIndex: number): void {
    if (this.#isInConversation) this.#previousItemId = this.#sink.add(item)
    this.#emitItem('response.output_item.added', item, outputIndex)
    if (this.#isInConversation)
      this.#emit({
        type: 'conversation.item.added',
        previous_item_id: this.#previousItemId,
        item: wireItem(item),
      })
  }

  #finishItem(item: Item, outputIndex: number, sentences?: readonly string[]): void {
    this.#output.push(item)
    if (this.#isInConversation) {
      this.#sink.replace(item, sentences)
      this.#emit({
        type: 'conversation.item.done',
        previous_item_id: this.#previousItemId,
        item: wireItem(item),
      })
    }
    this.#emitItem('response.output_item.done', item, outputIndex)
  }

  #emitItem(
    type: 'response.output_item.added' | 'response.output_item.done',
    item: Item,
    outputIndex: number,
  ): void {
    this.#emit({ type, response_id: this.#setup.id, output_index: outputIndex, item: wireItem(item) })
  }

  get #isInConversation(): boolean {
    return this.#setup.conversationId !== null
  }

  #place(message: OpenMessage) {
    return {
      response_id: this.#setup.id,
      item_id: message.item.id,
      output_index: message.outputIndex,
      content_index: 0,
    }
  }

  #response(state: Partial<WireResponse>): WireResponse {
    const { id, conversationId, modality, format, voice, maxOutputTokens, metadata } = this.#setup
    return {
      id,
      object: 'realtime.response',
      ...(conversationId === null ? {} : { conversation_id: conversationId }),
      output_modalities: [modality],
      ...(modality === 'audio' ? { audio: { output: { format, voice } } } : {}),
      max_output_tokens: maxOutputTokens,
      metadata: metadata ?? null,
      output: this.#output.map((item) => wireItem(item)),
      ...state,
    }
  }
}

function textOfMessage(item: MessageItem): string {
  return item.parts.map(textOf).join('')
}
