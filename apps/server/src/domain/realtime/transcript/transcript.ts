import type { MessagePosition } from '../../../ports/conversation-store.js'
import { RecentIds } from '../../recent-ids.js'
import type { AssistantDeltaEvent, AssistantDoneEvent, EchoedItem, OutputItem, ProviderEvent, ResponseDoneEvent, UserDoneEvent, UserFailedEvent } from '../protocol/provider-event.js'

/*
 * What was said, put together from the provider's events.
 *
 *   user:       speech committed ──► open ──words done──► stored, announced
 *                                     └──failed | session ends──► stored with the failure
 *               typed item echoed ──► stored, announced
 *   assistant:  item added | first delta ──► open ──words done──► stored, announced
 *                                             └──response cut off | session ends──► stored, interrupted
 *
 * A segment is one (item, content index) and is stored once, however many events end it. Its position is taken when it
 * is opened, not when its words arrive: transcription comes late, often after the answer.
 */
export interface TranscriptSegment extends SegmentId {
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly interrupted: boolean
  readonly failure: string | null
  readonly position: MessagePosition
}

export type TranscriptEffect =
  | {
      readonly effect: 'store'
      readonly segment: TranscriptSegment
      readonly announce: 'message' | 'response' | null
    }
  | { readonly effect: 'interrupt'; readonly itemId: string }

/** Words that were stored, and how the provider has sent them. */
interface StoredWords {
  readonly text: string
  /** Whether under an item's id. */
  readonly isNamed: boolean
  readonly wireNames: Set<string>
}

const endedEarly = 'The session ended before these words were written down.'

export class Transcript {
  readonly #segments: Segments
  readonly #replayedItemIds: ReadonlySet<string>
  readonly #interruptedItemIds = new RecentIds()
  /** The response that an event named last and that is not done: it says what comes without a response's id. */
  #latestResponseId: string | null = null
  /** What the user said last, until somebody speaks again: the provider may send it once more, under another name. */
  #lastUserWords: StoredWords | null = null
  /** What was stored of the response under way, by response and text: the same holds for an answer. */
  readonly #storedAnswers = new Map<string, StoredWords>()

  constructor(nextPosition: () => MessagePosition, replayedItemIds: readonly string[]) {
    this.#segments = new Segments(nextPosition)
    this.#replayedItemIds = new Set(replayedItemIds)
  }

  observe(event: ProviderEvent): readonly TranscriptEffect[] {
    switch (event.type) {
      case 'speech.committed':
        this.#lastUserWords = null
        this.#openUser(event)
        return []
      case 'user.delta':
        this.#append(this.#openUser(event), event.delta)
        return []
      case 'user.done':
        return this.#finishUser(event)
      case 'user.failed':
        return this.#failUser(event)
      case 'item.echoed':
        return this.#observeItem(event.item)
      case 'assistant.delta':
        this.#append(this.#openAssistant(event), event.delta)
        return []
      case 'assistant.done':
        return this.#finishAssistant(event)
      case 'output-item.added':
        this.#reserveAssistant(event.item, event.responseId)
        return []
      case 'response.created':
        this.#latestResponseId = event.responseId ?? this.#segments.nextUnnamedId()
        this.#storedAnswers.clear()
        this.#lastUserWords = null
        return []
      case 'response.done':
        return this.#finishResponse(event)
      case 'item.truncated':
        return event.itemId === null ? [] : this.#interrupt(event.itemId)
      default:
        return []
    }
  }

  /** What must still be stored when the session ends, however it ends. */
  end(): readonly TranscriptEffect[] {
    return this.#segments.allOpen.flatMap((segment) => {
      const { role, partialText } = segment
      if (role === 'user')
        return this.#store(segment, partialText, { interrupted: true, failure: endedEarly }, null)
      return isBlank(partialText) ? [] : this.#store(segment, partialText, { interrupted: true })
    })
  }

  #observeItem(item: EchoedItem): readonly TranscriptEffect[] {
    if (item.kind !== 'user-message' || this.#replayedItemIds.has(item.itemId)) return []
    return item.parts.flatMap((part) => {
      const segment = this.#openUser({ itemId: item.itemId, contentIndex: part.contentIndex })
      return part.kind === 'typed' && segment !== null ? this.#store(segment, part.text) : []
    })
  }

  #finishUser(event: UserDoneEvent): readonly TranscriptEffect[] {
    const isNamed = event.itemId !== null
    const last = this.#lastUserWords
    const isOther = last !== null && last.isNamed !== isNamed && !last.wireNames.has(event.wireName)
    // A provider may send one transcript under two names, one of them without ids.
    const mayBeRepeated = isOther && last.text === event.text
    this.#lastUserWords = null
    // A transcript without an id belongs to the segment that has waited longest for one.
    const waiting = isNamed ? null : this.#segments.oldestOpen('user')
    if (mayBeRepeated && waiting === null) return []
    // Those of the one that waits, or the last ones once more: nobody knows, and neither may be lost.
    const target = mayBeRepeated ? null : waiting
    const segment = target ?? this.#openUser(isNamed ? event : this.#unnamedSegment())
    if (segment === null) return []
    const text = event.text ?? segment.partialText
    if (isBlank(text)) {
      // Nothing was said, but in which segment is a guess: the words of the one that waits may come yet, under its id.
      if (target === null) this.#segments.close(segment, 'empty')
      else this.#segments.setAside(segment)
      return []
    }
    if (target === null) this.#lastUserWords = { text, isNamed, wireNames: new Set([event.wireName]) }
    return this.#store(segment, text)
  }

  #failUser(event: UserFailedEvent): readonly TranscriptEffect[] {
    const segment = event.itemId === null ? this.#segments.oldestOpen('user') : this.#openUser(event)
    if (segment === null) return []
    const failure = event.message ?? 'The transcription failed.'
    return this.#store(segment, segment.partialText, { failure }, null)
  }

  #finishAssistant(event: AssistantDoneEvent): readonly TranscriptEffect[] {
    this.#latestResponseId = event.responseId ?? this.#latestResponseId
    const isNamed = event.itemId !== null
    // A provider may end one answer under two names, one of them without ids; under the same name it is another answer.
    const earlier = event.text === null ? undefined : this.#storedAnswers.get(this.#answerKey(event.text))
    const isRepeated = earlier !== undefined && !earlier.wireNames.has(event.wireName)
    earlier?.wireNames.add(event.wireName)
    if (isRepeated && !isNamed) return []
    const segment = this.#openAssistant(event)
    if (segment === null) return []
    if (isRepeated && !earlier.isNamed) {
      this.#segments.close(segment, 'empty')
      return []
    }
    const text = event.text ?? segment.partialText
    if (isBlank(text)) {
      this.#segments.discard(segment)
      return []
    }
    this.#storedAnswers.set(this.#answerKey(text), { text, isNamed, wireNames: new Set([event.wireName]) })
    return this.#store(segment, text)
  }

  #answerKey(text: string): string {
    return JSON.stringify([this.#latestResponseId, text])
  }

  #finishResponse({ responseId: givenId, status, output }: ResponseDoneEvent): readonly TranscriptEffect[] {
    const responseId = givenId ?? this.#latestResponseId
    if (responseId === this.#latestResponseId) this.#latestResponseId = null
    const isCutOff = status !== null && status !== 'completed'
    const unfinished = this.#segments.allOpen.filter(
      (segment) => segment.role === 'assistant' && (segment.responseId ?? responseId) === responseId,
    )
    const effects = unfinished.flatMap((segment) => {
      if (!isBlank(segment.partialText))
        return this.#store(segment, segment.partialText, { interrupted: isCutOff })
      this.#segments.discard(segment)
      return []
    })
    if (!isCutOff || responseId === null) return effects
    // Items of a cut-off response are ended like others before the provider says that it was cut off.
    const finished = output.filter((item) => item.status === 'completed')
    const finishedIds = new Set(finished.map(({ itemId }) => itemId))
    const cutOff = this.#segments.itemsStoredOf(responseId).filter((itemId) => !finishedIds.has(itemId))
    return [...effects, ...cutOff.flatMap((itemId) => this.#interrupt(itemId))]
  }

  #interrupt(itemId: string): readonly TranscriptEffect[] {
    if (this.#interruptedItemIds.has(itemId)) return []
    this.#interruptedItemIds.add(itemId)
    return this.#segments.isStored(itemId) ? [{ effect: 'interrupt', itemId }] : []
  }

  #reserveAssistant({ kind, itemId }: OutputItem, responseId: string | null): void {
    if (kind === 'message' && itemId !== null) this.#openAssistant({ itemId, contentIndex: 0, responseId })
  }

  #openAssistant(
    event: Pick<AssistantDeltaEvent, 'itemId' | 'contentIndex' | 'responseId'>,
  ): OpenSegment | null {
    const { itemId, contentIndex } = event
    const responseId = event.responseId ?? this.#latestResponseId
    if (itemId !== null) return this.#segments.open({ itemId, contentIndex, role: 'assistant', responseId })
    return (
      this.#segments.oldestOpen('assistant', responseId) ??
      this.#segments.open({ ...this.#unnamedSegment(), contentIndex, role: 'assistant', responseId })
    )
  }

  #openUser({ itemId, contentIndex }: Pick<UserDoneEvent, 'itemId' | 'contentIndex'>): OpenSegment | null {
    if (itemId === null || this.#replayedItemIds.has(itemId)) return null
    return this.#segments.open({ itemId, contentIndex, role: 'user', responseId: null })
  }

  #append(segment: OpenSegment | null, delta: string | null): void {
    if (segment !== null && delta !== null) this.#segments.append(segment, delta)
  }

  #unnamedSegment(): SegmentId {
    return { itemId: this.#segments.nextUnnamedId(), contentIndex: 0 }
  }

  #store(
    segment: OpenSegment,
    content: string,
    flaws: { readonly interrupted?: boolean; readonly failure?: string } = {},
    announce: 'message' | 'response' | null = segment.role === 'user' ? 'message' : 'response',
  ): readonly TranscriptEffect[] {
    const { itemId, contentIndex, role, position } = segment
    this.#segments.close(segment, 'stored')
    if (flaws.interrupted) this.#interruptedItemIds.add(itemId)
    const interrupted = this.#interruptedItemIds.has(itemId)
    const failure = flaws.failure ?? null
    return [
      {
        effect: 'store',
        segment: { itemId, contentIndex, role, content: keptWords(content), interrupted, failure, position },
        announce,
      },
    ]
  }
}

const isBlank = (text: string) => text.trim() === ''

interface SegmentId {
  readonly itemId: string
  readonly contentIndex: number
}

/** What a transcript segment is known by from its beginning. */
interface SegmentStart extends SegmentId {
  readonly role: 'user' | 'assistant'
  /** The response that says it; null for a user's words. */
  readonly responseId: string | null
}

interface OpenSegment extends SegmentStart {
  readonly position: MessagePosition
  /** What has come of its text in deltas. */
  readonly partialText: string
}

/** Of the words of one segment so many are kept, and of the deltas of all that are open. */
const maxSegmentCharacters = 1_000_000
const maxOpenCharacters = 4_000_000
/** No conversation has so many that wait for their words; a provider that opens them without end must not fill the memory. */
const maxOpenSegments = 10_000
const maxSetAside = 1000

/*
 * Which transcript segments of a session are open, and which are closed: those are not opened again.
 *
 *   unknown ──open──► open ──close──► closed: stored, or empty
 *      ▲              │  ▲
 *      └───discard────┤  │ opened again, in its old position
 *                     └──set aside
 */
class Segments {
  readonly #nextPosition: () => MessagePosition
  readonly #open = new Map<string, Writable>()
  /** The open ones of each side and response, oldest first: a search among all of them would take longer with each. */
  readonly #openOf = new Map<string, Set<Writable>>()
  readonly #closedKeys = new RecentIds()
  /** Of those that were set aside, oldest first. */
  readonly #positionsSetAside = new Map<string, MessagePosition>()
  readonly #storedItemIds = new Set<string>()
  /** The ids of the items stored of each response, in order. */
  readonly #storedOf = new Map<string, Set<string>>()
  #openCharacters = 0
  #unnamedItems = 0

  constructor(nextPosition: () => MessagePosition) {
    this.#nextPosition = nextPosition
  }

  /** Oldest first. */
  get allOpen(): readonly OpenSegment[] {
    return [...this.#open.values()]
  }

  isStored(itemId: string): boolean {
    return this.#storedItemIds.has(itemId)
  }

  /** The items of which something was stored, of one response. */
  itemsStoredOf(responseId: string): readonly string[] {
    return [...(this.#storedOf.get(responseId) ?? [])]
  }

  /** The open segment of this id, opened where there is none; null where it is closed already or too many are open. */
  open(start: SegmentStart): OpenSegment | null {
    const key = keyOf(start)
    if (this.#closedKeys.has(key)) return null
    const open = this.#open.get(key)
    if (open) return open
    if (this.#open.size === maxOpenSegments) return null
    const position = this.#positionsSetAside.get(key) ?? this.#nextPosition()
    this.#positionsSetAside.delete(key)
    const segment = { ...start, position, partialText: '' }
    this.#open.set(key, segment)
    this.#siblingsOf(segment).add(segment)
    return segment
  }

  /** Adds to what has come of an open segment, as far as there is room. */
  append({ itemId, contentIndex }: SegmentId, delta: string): void {
    const segment = this.#open.get(keyOf({ itemId, contentIndex }))
    if (segment === undefined) return
    const room = Math.min(
      maxSegmentCharacters - segment.partialText.length,
      maxOpenCharacters - this.#openCharacters,
    )
    const fitting = delta.slice(0, Math.max(0, room))
    segment.partialText += fitting
    this.#openCharacters += fitting.length
  }

  /** The segment that has been open longest. */
  oldestOpen(role: SegmentStart['role'], responseId: string | null = null): OpenSegment | null {
    const [oldest] = this.#openOf.get(siblingKey(role, responseId)) ?? []
    return oldest ?? null
  }

  /** An id for an item, or a response, that the provider gives none. */
  nextUnnamedId(): string {
    this.#unnamedItems += 1
    return `${unnamedPrefix}${this.#unnamedItems}`
  }

  close(segment: OpenSegment, outcome: 'stored' | 'empty'): void {
    this.discard(segment)
    this.#closedKeys.add(keyOf(segment))
    if (outcome === 'empty') return
    const { itemId, responseId } = segment
    this.#storedItemIds.add(itemId)
    if (responseId === null) return
    const items = this.#storedOf.get(responseId) ?? new Set()
    this.#storedOf.set(responseId, items.add(itemId))
  }

  /** Its position is not used; it may be opened again. */
  discard({ itemId, contentIndex }: SegmentId): void {
    const key = keyOf({ itemId, contentIndex })
    const segment = this.#open.get(key)
    if (segment === undefined) return
    this.#open.delete(key)
    this.#openCharacters -= segment.partialText.length
    const siblings = this.#siblingsOf(segment)
    siblings.delete(segment)
    if (siblings.size === 0) this.#openOf.delete(siblingKey(segment.role, segment.responseId))
  }

  /** Nothing more is expected of it; where something comes all the same, it is open again, in its position. */
  setAside(segment: OpenSegment): void {
    this.discard(segment)
    this.#positionsSetAside.set(keyOf(segment), segment.position)
    const [oldest] = this.#positionsSetAside.keys()
    if (this.#positionsSetAside.size > maxSetAside && oldest !== undefined)
      this.#positionsSetAside.delete(oldest)
  }

  #siblingsOf({ role, responseId }: SegmentStart): Set<Writable> {
    const key = siblingKey(role, responseId)
    const siblings = this.#openOf.get(key) ?? new Set()
    this.#openOf.set(key, siblings)
    return siblings
  }
}

type Writable = { -readonly [Field in keyof OpenSegment]: OpenSegment[Field] }

/** What is kept of the words of a segment. */
function keptWords(text: string): string {
  return text.length <= maxSegmentCharacters ? text : text.slice(0, maxSegmentCharacters).toWellFormed()
}

function siblingKey(role: SegmentStart['role'], responseId: string | null): string {
  return `${role} ${responseId === null ? '' : `of ${responseId}`}`
}

const unnamedPrefix = 'unnamed:'

function keyOf({ itemId, contentIndex }: SegmentId): string {
  return `${itemId}#${contentIndex}`
}
