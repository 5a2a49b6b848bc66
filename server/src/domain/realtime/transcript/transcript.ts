import {
  listField,
  numberField,
  objectField,
  type ProviderEvent,
  textField,
} from '../protocol/provider-frame.js'
import { isUnnamed, type OpenSegment, type Place, Segments } from './segments.js'
import {
  assistantDeltas,
  assistantText,
  assistantTriggers,
  isAudio,
  isBlank,
  isTyped,
  typedText,
  userText,
  userTriggers,
} from './spoken-text.js'

/*
 * What was said, put together from the provider's events.
 *
 *   user:       audio committed ──► place taken ──transcription completed──► stored, announced
 *                                        └──failed | session ends──► stored with the failure
 *               typed item echoed ──► stored, announced
 *   assistant:  item added | first piece ──► place taken ──…done──► stored, announced
 *                                        └──response cut off | session ends──► stored, interrupted
 *
 * A turn is one (item, content index) and is stored once, however many events end it. Its place is taken when it is
 * spoken, not when its words arrive: transcription comes late, often after the answer.
 */
export interface Turn {
  readonly itemId: string
  readonly contentIndex: number
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly interrupted: boolean
  readonly failure: string | null
  readonly place: Place
}

export type TranscriptEffect =
  | { readonly effect: 'store'; readonly turn: Turn; readonly announce: 'message' | 'response' | null }
  | { readonly effect: 'interrupt'; readonly itemId: string }

type Fields = Readonly<Record<string, unknown>>

const endedEarly = 'The session ended before these words were written down.'

export class Transcript {
  readonly #book: Segments
  readonly #replayed: ReadonlySet<string>
  readonly #cutOff = new Set<string>()
  #response: string | null = null
  /** What this response has said, and whether under an id. */
  #answered = new Map<string, 'named' | 'unnamed'>()
  /** What the user was last told to have said, and whether under an id. */
  #told: readonly [text: string, how: 'named' | 'unnamed'] | null = null

  constructor(nextPosition: () => Place, replayedItemIds: readonly string[]) {
    this.#book = new Segments(nextPosition)
    this.#replayed = new Set(replayedItemIds)
  }

  observe(event: ProviderEvent): readonly TranscriptEffect[] {
    const { type } = event
    if (assistantDeltas.has(type)) return this.#hear(this.#assistantTurn(event), textField(event, 'delta'))
    if (assistantTriggers.has(type)) return this.#finishAssistant(event)
    if (userTriggers.has(type)) return this.#finishUser(event)
    switch (type) {
      case 'input_audio_buffer.committed':
        this.#userTurn(event)
        return []
      case 'conversation.item.input_audio_transcription.delta':
        return this.#hear(this.#userTurn(event), textField(event, 'delta'))
      case 'conversation.item.input_audio_transcription.failed':
        return this.#failUser(event)
      case 'conversation.item.added':
      case 'conversation.item.created':
      case 'conversation.item.done':
        return this.#observeItem(objectField(event, 'item'))
      case 'response.output_item.added':
        this.#reserveAssistant(event)
        return []
      case 'response.created':
        this.#response = textField(objectField(event, 'response'), 'id') ?? this.#book.newName()
        this.#answered = new Map()
        return []
      case 'response.done':
        return this.#finishResponse(objectField(event, 'response'))
      case 'conversation.item.truncated':
        return this.#truncate(textField(event, 'item_id'))
      default:
        return []
    }
  }

  /** What must still be written down when the session ends, however it ends. */
  end(): readonly TranscriptEffect[] {
    return this.#book.open.flatMap((turn) => {
      if (turn.role === 'assistant')
        return isBlank(turn.heard) ? [] : this.#store(turn, turn.heard, { interrupted: true })
      return this.#store(turn, turn.heard, { interrupted: true, failure: endedEarly }, null)
    })
  }

  #observeItem(item: Fields | undefined): readonly TranscriptEffect[] {
    const itemId = textField(item, 'id')
    if (!item || itemId === undefined || this.#replayed.has(itemId)) return []
    if (textField(item, 'type') !== 'message' || textField(item, 'role') !== 'user') return []
    const parts = listField(item, 'content')
    const typed = typedText(item)
    const typedIndex = isBlank(typed) ? -1 : parts.findIndex(isTyped)
    return parts.flatMap((part, index) => {
      if (isAudio(part)) this.#book.turn(itemId, index, 'user', null)
      return index === typedIndex ? this.#store(this.#book.turn(itemId, index, 'user', null), typed) : []
    })
  }

  #finishUser(event: ProviderEvent): readonly TranscriptEffect[] {
    const given = userText(event)
    const how = nameOf(event)
    if (this.#told?.[0] === given && this.#told[1] !== how) {
      // A provider may tell one transcript under two names, one of them without ids.
      this.#told = null
      return []
    }
    // A transcript without an id belongs to the words that wait longest for one.
    const waiting = how === 'unnamed' ? this.#book.oldest('user') : null
    const turn =
      waiting ??
      (how === 'named' ? this.#userTurn(event) : this.#book.turn(this.#book.newName(), 0, 'user', null))
    if (turn === null) return []
    const text = isBlank(given) ? turn.heard : given
    if (!isBlank(text)) {
      this.#told = waiting ? null : [text, how]
      return this.#store(turn, text)
    }
    // Nothing was said: the place is given back.
    this.#book.close(turn, 'empty')
    return []
  }

  #failUser(event: ProviderEvent): readonly TranscriptEffect[] {
    const turn = nameOf(event) === 'named' ? this.#userTurn(event) : this.#book.oldest('user')
    if (turn === null) return []
    const failure = textField(objectField(event, 'error'), 'message') ?? 'The transcription failed.'
    return this.#store(turn, turn.heard, { failure }, null)
  }

  #finishAssistant(event: ProviderEvent): readonly TranscriptEffect[] {
    const given = assistantText(event) ?? ''
    const how = nameOf(event)
    // A provider may end one answer under two names, one of them without ids.
    const earlier = this.#answered.get(given)
    if (earlier !== undefined && how === 'unnamed') return []
    const turn = this.#assistantTurn(event)
    if (turn === null) return []
    if (earlier === 'unnamed') {
      this.#book.close(turn, 'empty')
      return []
    }
    const text = isBlank(given) ? turn.heard : given
    if (isBlank(text)) {
      this.#book.forget(turn)
      return []
    }
    return this.#store(turn, text)
  }

  #finishResponse(response: Fields | undefined): readonly TranscriptEffect[] {
    const responseId = textField(response, 'id') ?? this.#response
    const isCutOff = (textField(response, 'status') ?? 'completed') !== 'completed'
    const unfinished = this.#book.open.filter(
      (turn) => turn.role === 'assistant' && (turn.responseId ?? responseId) === responseId,
    )
    const effects = unfinished.flatMap((turn) => {
      if (!isBlank(turn.heard)) return this.#store(turn, turn.heard, { interrupted: isCutOff })
      this.#book.forget(turn)
      return []
    })
    if (!isCutOff || responseId === null) return effects
    // Items of a cut-off answer are ended like others before it is told that it was cut off.
    const finished = listField(response, 'output').filter((item) => textField(item, 'status') === 'completed')
    const finishedIds = new Set(finished.map((item) => textField(item, 'id')))
    const cutOff = this.#book.stored.filter(
      (turn) => turn.responseId === responseId && !finishedIds.has(turn.itemId),
    )
    return [...effects, ...cutOff.flatMap((turn) => this.#truncate(turn.itemId))]
  }

  #truncate(itemId: string | undefined): readonly TranscriptEffect[] {
    if (itemId === undefined || this.#cutOff.has(itemId)) return []
    this.#cutOff.add(itemId)
    const isStored = this.#book.stored.some((turn) => turn.itemId === itemId)
    return isStored ? [{ effect: 'interrupt', itemId }] : []
  }

  #reserveAssistant(event: ProviderEvent): void {
    const item = objectField(event, 'item')
    const itemId = textField(item, 'id')
    if (textField(item, 'type') !== 'message' || itemId === undefined) return
    this.#book.turn(itemId, 0, 'assistant', this.#responseOf(event))
  }

  #assistantTurn(event: ProviderEvent): OpenSegment | null {
    const responseId = this.#responseOf(event)
    const itemId = textField(event, 'item_id')
    const contentIndex = numberField(event, 'content_index') ?? 0
    if (itemId !== undefined) return this.#book.turn(itemId, contentIndex, 'assistant', responseId)
    return (
      this.#book.oldest('assistant', responseId) ??
      this.#book.turn(this.#book.newName(), contentIndex, 'assistant', responseId)
    )
  }

  #responseOf(event: ProviderEvent): string | null {
    return textField(event, 'response_id') ?? this.#response
  }

  #userTurn(event: ProviderEvent): OpenSegment | null {
    const itemId = textField(event, 'item_id')
    if (itemId === undefined || this.#replayed.has(itemId)) return null
    return this.#book.turn(itemId, numberField(event, 'content_index') ?? 0, 'user', null)
  }

  #hear(turn: OpenSegment | null, delta: string | undefined): readonly TranscriptEffect[] {
    if (turn !== null && delta !== undefined) turn.heard += delta
    return []
  }

  #store(
    turn: OpenSegment | null,
    content: string,
    extra: { readonly interrupted?: boolean; readonly failure?: string } = {},
    announce: 'message' | 'response' | null = turn?.role === 'user' ? 'message' : 'response',
  ): readonly TranscriptEffect[] {
    if (turn === null) return []
    this.#book.close(turn, 'stored')
    if (turn.role === 'assistant') this.#answered.set(content, isUnnamed(turn) ? 'unnamed' : 'named')
    if (extra.interrupted) this.#cutOff.add(turn.itemId)
    const { itemId, contentIndex, role, place } = turn
    const interrupted = this.#cutOff.has(itemId)
    const stored = { itemId, contentIndex, role, content, interrupted, failure: extra.failure ?? null, place }
    return [{ effect: 'store', turn: stored, announce }]
  }
}

const nameOf = (event: ProviderEvent) => (textField(event, 'item_id') === undefined ? 'unnamed' : 'named')
