import { listField, numberField, objectField, type ProviderEvent, textField } from './provider-frame.js'
import {
  assistantDeltas,
  assistantText,
  assistantTriggers,
  holdsAudio,
  isBlank,
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
export interface Place {
  readonly microseconds: number
  readonly counter: number
}

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

interface OpenTurn {
  readonly itemId: string
  readonly contentIndex: number
  readonly role: 'user' | 'assistant'
  readonly place: Place
  readonly responseId: string | null
  heard: string
}

const endedEarly = 'The session ended before these words were written down.'

export class Transcript {
  readonly #takePlace: () => Place
  readonly #replayed: ReadonlySet<string>
  readonly #open = new Map<string, OpenTurn>()
  readonly #stored = new Map<string, string | null>()
  readonly #truncated = new Set<string>()
  #textsOfResponse = new Set<string>()
  #unnamed = 0

  constructor(takePlace: () => Place, replayedItemIds: readonly string[]) {
    this.#takePlace = takePlace
    this.#replayed = new Set(replayedItemIds)
  }

  observe(event: ProviderEvent): readonly TranscriptEffect[] {
    const { type } = event
    if (assistantDeltas.has(type)) return this.#hear(this.#assistantTurn(event), textField(event, 'delta'))
    if (assistantTriggers.has(type)) return this.#finishAssistant(event)
    if (userTriggers.has(type)) return this.#finishUser(event)
    switch (type) {
      case 'input_audio_buffer.committed':
        this.#reserveUser(textField(event, 'item_id'))
        return []
      case 'conversation.item.input_audio_transcription.delta':
        return this.#hear(this.#reserveUser(textField(event, 'item_id')), textField(event, 'delta'))
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
        this.#textsOfResponse = new Set()
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
    return [...this.#open.values()].flatMap((turn) => {
      if (turn.role === 'assistant')
        return isBlank(turn.heard) ? [] : this.#store(turn, turn.heard, { interrupted: true })
      return this.#store(turn, turn.heard, { interrupted: true, failure: endedEarly }, null)
    })
  }

  #observeItem(item: Readonly<Record<string, unknown>> | undefined): readonly TranscriptEffect[] {
    const itemId = textField(item, 'id')
    if (!item || itemId === undefined || this.#replayed.has(itemId)) return []
    if (textField(item, 'type') !== 'message' || textField(item, 'role') !== 'user') return []
    const typed = typedText(item)
    if (!isBlank(typed)) return this.#store(this.#turn(itemId, 0, 'user', null), typed)
    if (holdsAudio(item)) this.#reserveUser(itemId)
    return []
  }

  #finishUser(event: ProviderEvent): readonly TranscriptEffect[] {
    const text = userText(event)
    const named = textField(event, 'item_id')
    const turn =
      named === undefined ? this.#oldestUser() : this.#reserveUser(named, numberField(event, 'content_index'))
    if (turn === null) return []
    if (!isBlank(text)) return this.#store(turn, text)
    // Nothing was said: the place is given back.
    this.#close(turn, null)
    return []
  }

  #failUser(event: ProviderEvent): readonly TranscriptEffect[] {
    const turn = this.#reserveUser(textField(event, 'item_id'), numberField(event, 'content_index'))
    if (turn === null) return []
    const failure = textField(objectField(event, 'error'), 'message') ?? 'The transcription failed.'
    return this.#store(turn, turn.heard, { failure }, null)
  }

  #finishAssistant(event: ProviderEvent): readonly TranscriptEffect[] {
    const turn = this.#assistantTurn(event)
    if (turn === null) return []
    const given = assistantText(event)
    const text = given === undefined || isBlank(given) ? turn.heard : given
    if (isBlank(text)) {
      this.#open.delete(keyOf(turn))
      return []
    }
    // A provider may end one answer under two names, one of them without ids.
    if (textField(event, 'item_id') === undefined && this.#textsOfResponse.has(text)) {
      this.#close(turn, null)
      return []
    }
    return this.#store(turn, text)
  }

  #finishResponse(response: Readonly<Record<string, unknown>> | undefined): readonly TranscriptEffect[] {
    const responseId = textField(response, 'id') ?? null
    const isCutOff =
      textField(response, 'status') !== undefined && textField(response, 'status') !== 'completed'
    const unfinished = [...this.#open.values()].filter(
      (turn) => turn.role === 'assistant' && turn.responseId === responseId,
    )
    const effects = unfinished.flatMap((turn) => {
      if (!isBlank(turn.heard)) return this.#store(turn, turn.heard, { interrupted: isCutOff })
      this.#open.delete(keyOf(turn))
      return []
    })
    if (!isCutOff) return effects
    const cutItems = listField(response, 'output')
      .filter((item) => textField(item, 'status') === 'incomplete')
      .map((item) => textField(item, 'id'))
    return [...effects, ...cutItems.flatMap((itemId) => this.#truncate(itemId))]
  }

  #truncate(itemId: string | undefined): readonly TranscriptEffect[] {
    if (itemId === undefined || this.#truncated.has(itemId)) return []
    this.#truncated.add(itemId)
    const isStored = [...this.#stored].some(
      ([key, content]) => content !== null && key.startsWith(`${itemId}#`),
    )
    return isStored ? [{ effect: 'interrupt', itemId }] : []
  }

  #reserveAssistant(event: ProviderEvent): void {
    const item = objectField(event, 'item')
    const itemId = textField(item, 'id')
    if (textField(item, 'type') !== 'message' || itemId === undefined) return
    this.#turn(itemId, 0, 'assistant', textField(event, 'response_id') ?? null)
  }

  #assistantTurn(event: ProviderEvent): OpenTurn | null {
    const responseId = textField(event, 'response_id') ?? null
    const itemId = textField(event, 'item_id') ?? `response:${responseId ?? 'unnamed'}`
    return this.#turn(itemId, numberField(event, 'content_index') ?? 0, 'assistant', responseId)
  }

  #reserveUser(itemId: string | undefined, contentIndex = 0): OpenTurn | null {
    if (itemId === undefined || this.#replayed.has(itemId)) return null
    return this.#turn(itemId, contentIndex, 'user', null)
  }

  /** A transcript without an id belongs to the words that wait longest for one. */
  #oldestUser(): OpenTurn | null {
    const waiting = [...this.#open.values()].find((turn) => turn.role === 'user')
    if (waiting) return waiting
    this.#unnamed += 1
    return this.#turn(`unnamed:${this.#unnamed}`, 0, 'user', null)
  }

  /** The open turn of this name, begun where there is none; null where it was stored already. */
  #turn(
    itemId: string,
    contentIndex: number,
    role: 'user' | 'assistant',
    responseId: string | null,
  ): OpenTurn | null {
    const key = keyOf({ itemId, contentIndex })
    if (this.#stored.has(key)) return null
    const open = this.#open.get(key)
    if (open) return open
    const turn = { itemId, contentIndex, role, place: this.#takePlace(), responseId, heard: '' }
    this.#open.set(key, turn)
    return turn
  }

  #hear(turn: OpenTurn | null, delta: string | undefined): readonly TranscriptEffect[] {
    if (turn !== null && delta !== undefined) turn.heard += delta
    return []
  }

  #store(
    turn: OpenTurn | null,
    content: string,
    extra: { readonly interrupted?: boolean; readonly failure?: string } = {},
    announce: 'message' | 'response' | null = turn?.role === 'user' ? 'message' : 'response',
  ): readonly TranscriptEffect[] {
    if (turn === null) return []
    this.#close(turn, content)
    if (turn.role === 'assistant') this.#textsOfResponse.add(content)
    const interrupted = extra.interrupted === true || this.#truncated.has(turn.itemId)
    const { itemId, contentIndex, role, place } = turn
    const stored = { itemId, contentIndex, role, content, interrupted, failure: extra.failure ?? null, place }
    return [{ effect: 'store', turn: stored, announce }]
  }

  #close(turn: OpenTurn, content: string | null): void {
    this.#open.delete(keyOf(turn))
    this.#stored.set(keyOf(turn), content === null ? null : '')
  }
}

function keyOf({ itemId, contentIndex }: { readonly itemId: string; readonly contentIndex: number }): string {
  return `${itemId}#${contentIndex}`
}
