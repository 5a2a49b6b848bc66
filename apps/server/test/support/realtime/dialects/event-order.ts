import type { Emitted } from './emitted-events.js'

type Fields = Readonly<Record<string, unknown>>

const messageStages = [
  'response.output_item.added',
  'conversation.item.added',
  'response.content_part.added',
  'response.output_audio.done',
  'response.output_audio_transcript.done',
  'response.content_part.done',
  'conversation.item.done',
  'response.output_item.done',
]
const callStages = [
  'response.output_item.added',
  'conversation.item.added',
  'response.function_call_arguments.delta',
  'response.function_call_arguments.done',
  'conversation.item.done',
  'response.output_item.done',
]
const speechStages = [
  'input_audio_buffer.speech_started',
  'input_audio_buffer.speech_stopped',
  'input_audio_buffer.committed',
  'conversation.item.added',
  'conversation.item.done',
  'conversation.item.input_audio_transcription.completed',
]
const typedStages = ['conversation.item.added', 'conversation.item.done']

/** The stages of an item in their order, and how many of them it has passed. */
interface Progress {
  readonly stages: readonly string[]
  passed: number
}

const deltas: Readonly<Record<string, string>> = {
  'response.output_audio.delta': 'response.content_part.added',
  'response.output_audio_transcript.delta': 'response.content_part.added',
  'conversation.item.input_audio_transcription.delta': 'conversation.item.done',
}

const longId = /"(?:\w+_)?id":"[^"]{33,}"/

/** Checks that a client receives events in the order of OpenAI's protocol, for any input of the provider. */
export class EventOrder {
  readonly problems: string[] = []
  readonly #eventIds = new Set<unknown>()
  readonly #items = new Map<string, Progress>()
  readonly #responses = new Set<unknown>()
  /** Whether the dialect writes the events of items itself. Other providers have their own ids and order. */
  readonly #writesItems: boolean
  #activeId: unknown = null

  constructor({ writesItems = true }: { readonly writesItems?: boolean } = {}) {
    this.#writesItems = writesItems
  }

  observeFrame(frame: string): Emitted {
    if (!frame.startsWith('{"type":"')) this.#note('the type is not first', frame)
    if (this.#writesItems && longId.test(frame)) this.#note('an id is long', frame)
    const event = JSON.parse(frame) as Emitted
    if (this.#eventIds.has(event.event_id) || event.event_id === undefined)
      this.#note('an event id is missing or repeated', frame)
    this.#eventIds.add(event.event_id)
    this.#observe(event)
    return event
  }

  /** Checks that everything was ended. */
  finish(): void {
    if (this.#activeId !== null) this.problems.push('a response has no end')
    for (const [itemId, { stages, passed }] of this.#items)
      if (passed < stages.length) this.problems.push(`${itemId} has no ${stages[passed]}`)
  }

  #observe(event: Emitted): void {
    const { type } = event
    const { id } = (event.response ?? {}) as Fields
    if (type === 'response.created') {
      if (this.#activeId !== null) this.#note('two responses are active', type)
      if (this.#responses.has(id)) this.#note('a response began twice', type)
      this.#responses.add(id)
      this.#activeId = id
    } else if (type === 'response.done') {
      if (this.#activeId !== id) this.#note('a response ended twice or never began', type)
      this.#activeId = null
    } else if (type.startsWith('response.') && event.response_id !== this.#activeId)
      this.#note('an event belongs to no active response', type)
    if (this.#writesItems) this.#observeItem(event)
  }

  #observeItem(event: Emitted): void {
    const { type } = event
    const item = (event.item ?? {}) as Fields
    const itemId = event.item_id ?? item.id
    const after = deltas[type]
    if (typeof itemId !== 'string' || /retrieved|truncated/.test(type)) return
    const progress = this.#items.get(itemId) ?? this.#begin(itemId, type, item)
    const { stages, passed } = progress
    if (after !== undefined) {
      const isAudio = type === 'response.output_audio.delta'
      const latest = isAudio ? after : 'response.output_audio.done'
      if (stages[passed - 1] !== after && stages[passed - 1] !== latest)
        this.#note(`delta after ${stages[passed - 1]}`, type)
    } else if (stages[passed] !== type) this.#note(`instead of ${stages[passed]}`, type)
    else progress.passed += 1
  }

  #begin(itemId: string, type: string, item: Fields): Progress {
    const isAnswer = type === 'response.output_item.added'
    const answerStages = item.type === 'function_call' ? callStages : messageStages
    const own = type === speechStages[0] ? speechStages : typedStages
    const progress = { stages: isAnswer ? answerStages : own, passed: 0 }
    this.#items.set(itemId, progress)
    return progress
  }

  #note(problem: string, what: string): void {
    this.problems.push(`${problem}: ${what.slice(0, 200)}`)
  }
}
