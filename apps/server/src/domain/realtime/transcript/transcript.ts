import type { MessagePosition } from '../../../ports/conversation-stores.js'
import { RecentIds } from '../../recent-ids.js'
import type {
  AssistantDeltaEvent,
  AssistantDoneEvent,
  EchoedItem,
  OutputItem,
  ProviderEvent,
  ResponseDoneEvent,
  UserDoneEvent,
  UserFailedEvent,
  UserPartialEvent,
} from '../protocol/provider-event.js'
import { type OpenSegment, type SegmentId, Segments, storedText } from './segments.js'

/*
 * The transcript of a session, assembled from the provider's events.
 *
 *   user:       speech committed ──► open ──words done──► stored, announced
 *                                     └──failed | session ends──► stored with the failure
 *               typed item echoed ──► stored, announced
 *   assistant:  item added | first delta ──► open ──words done──► stored, announced
 *                                             └──response cut off | session ends──► stored, interrupted
 *
 * A segment is identified by its item and content index. It is stored once, even if several events end it. Its position
 * is assigned when it is opened and not when its text arrives, because the transcription often arrives after the answer.
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

/** A stored text, and the events that contained it. */
interface StoredWords {
  readonly text: string
  /** Whether one of the events contained the item's id. */
  readonly isNamed: boolean
  readonly wireNames: Set<string>
}

const endedEarly = 'The session ended before this speech was transcribed.'

export class Transcript {
  readonly #segments: Segments
  readonly #replayedItemIds: ReadonlySet<string>
  readonly #interruptedItemIds = new RecentIds()
  /**
   * The unfinished response in the latest event with a response id. Events without a response id are assigned
   * to it.
   */
  #latestResponseId: string | null = null
  /** The user's last text, until the next speech. The provider may send it again under another event name. */
  #lastUserWords: StoredWords | null = null
  /**
   * The stored texts of the current response, by response and text. The provider may send them again as well.
   */
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
      case 'user.partial':
        this.#replaceUserText(event)
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

  /** The open segments of the user, which have no words yet. */
  get openSpeech(): readonly SegmentId[] {
    return this.#segments.allOpen.filter(({ role }) => role === 'user')
  }

  /** Returns the ids of the items of a response whose words are complete. */
  wholeItemsOf(responseId: string): readonly string[] {
    return this.#segments.itemsStoredOf(responseId)
  }

  /** Returns the segments that must be stored when the session ends or its provider is lost. Speech in `kept` stays open. */
  end(kept: ReadonlySet<string | null> = new Set()): readonly TranscriptEffect[] {
    return this.#segments.allOpen.flatMap((segment) => {
      const { role, partialText } = segment
      if (role === 'user' && kept.has(segment.itemId)) return []
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
    // A provider may send one transcript under two event names, one of them without ids.
    const mayBeRepeated = isOther && last.text === event.text
    this.#lastUserWords = null
    // A transcript without an id is assigned to the segment that has waited longest for one.
    const waiting = isNamed ? null : this.#segments.oldestOpen('user')
    if (mayBeRepeated && waiting === null) return []
    // The text may belong to the waiting segment, or repeat the last text. Neither may be lost.
    const target = mayBeRepeated ? null : waiting
    const segment = target ?? this.#openUser(isNamed ? event : this.#unnamedSegment())
    if (segment === null) return []
    const text = event.text ?? segment.partialText
    if (isBlank(text)) {
      // The text is blank, and its segment is only a guess. The waiting segment may still get its own text
      // with its id.
      if (target === null) this.#segments.close(segment, 'empty')
      else this.#segments.setAside(segment)
      return []
    }
    if (target === null) this.#lastUserWords = { text, isNamed, wireNames: new Set([event.wireName]) }
    return this.#store(segment, text)
  }

  #replaceUserText(event: UserPartialEvent): void {
    const segment = event.itemId === null ? this.#segments.oldestOpen('user') : this.#openUser(event)
    if (segment !== null) this.#segments.replaceText(segment, event.text)
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
    // A provider may end one answer under two event names, one of them without ids. A second event with the
    // same name is another answer.
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
    // Items of a cut-off response end like others before the provider reports the cut-off.
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
    ending: { readonly interrupted?: boolean; readonly failure?: string } = {},
    announce: 'message' | 'response' | null = segment.role === 'user' ? 'message' : 'response',
  ): readonly TranscriptEffect[] {
    const { itemId, contentIndex, role, position } = segment
    this.#segments.close(segment, 'stored')
    if (ending.interrupted) this.#interruptedItemIds.add(itemId)
    const interrupted = this.#interruptedItemIds.has(itemId)
    const failure = ending.failure ?? null
    return [
      {
        effect: 'store',
        segment: { itemId, contentIndex, role, content: storedText(content), interrupted, failure, position },
        announce,
      },
    ]
  }
}

const isBlank = (text: string) => text.trim() === ''
