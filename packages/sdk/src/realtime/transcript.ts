import type { SessionEvent } from './session-event.js'

/** What one side said, as far as it is known: the text grows until it is final. */
export interface TranscriptItem {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** Whether nothing will be added to the text. */
  readonly isFinal: boolean
  /** Whether the person broke in before all of it was heard. */
  readonly isInterrupted: boolean
  /** How much of an interrupted answer was heard; null where it is not known. */
  readonly heardMilliseconds: number | null
  /** Why there are no words; null where there are, or will be. */
  readonly failure: string | null
  /** The response that it belongs to. */
  readonly responseId: string | null
}

export type Transcript = readonly TranscriptItem[]

const blank = {
  text: '',
  isFinal: false,
  isInterrupted: false,
  heardMilliseconds: null,
  failure: null,
  responseId: null,
} as const

/** The ids that the service gives to what it replays of a conversation; the summary and the files are not anybody's words. */
const replayed = /^past_[0-9a-f]{24}$/
const isReplay = (itemId: string) => itemId.startsWith('past_')

/**
 * The place of an item is taken when it is first heard of, which for speech is before its words are known: a
 * transcription that comes late does not change the order.
 */
export function stepTranscript(transcript: Transcript, event: SessionEvent): Transcript {
  switch (event.type) {
    case 'speech.committed':
      return change(transcript, event.itemId, 'user', (item) => item)
    case 'item.added':
      return addItem(transcript, event)
    case 'user.delta':
      return change(transcript, event.itemId, 'user', (item) => appendText(item, event.delta))
    case 'user.done':
      return change(transcript, event.itemId, 'user', (item) => ({
        ...item,
        text: event.text,
        isFinal: true,
      }))
    case 'user.failed':
      return change(transcript, event.itemId, 'user', (item) => ({
        ...item,
        failure: event.message,
        isFinal: true,
      }))
    case 'assistant.delta':
      return change(transcript, event.itemId, 'assistant', (item) => ({
        ...appendText(item, event.delta),
        responseId: event.responseId,
      }))
    case 'assistant.done':
      return change(transcript, event.itemId, 'assistant', (item) => ({
        ...item,
        text: event.text ?? item.text,
        isFinal: true,
        responseId: event.responseId,
      }))
    case 'item.truncated':
      return interruptItem(transcript, event.itemId, event.heardMilliseconds)
    case 'response.done':
      return endResponse(transcript, event)
    default:
      return transcript
  }
}

/** Marks an answer that was cut off. */
export function interruptItem(
  transcript: Transcript,
  itemId: string,
  heardMilliseconds: number | null,
): Transcript {
  if (!transcript.some(({ id }) => id === itemId)) return transcript
  return change(transcript, itemId, 'assistant', (item) => ({
    ...item,
    isInterrupted: true,
    heardMilliseconds: heardMilliseconds ?? item.heardMilliseconds,
  }))
}

/** A session has ended: what it had not finished is not finished by another. */
export function endTranscript(transcript: Transcript): Transcript {
  if (transcript.every(({ isFinal }) => isFinal)) return transcript
  return transcript.map((item) => (item.isFinal ? item : { ...item, isFinal: true, isInterrupted: true }))
}

function addItem(
  transcript: Transcript,
  { itemId, role, text }: Extract<SessionEvent, { type: 'item.added' }>,
): Transcript {
  // After a reconnect the conversation is replayed to the model; here it stands already.
  const isKnown = transcript.some(({ id }) => !isReplay(id))
  if (isReplay(itemId) && (isKnown || !replayed.test(itemId))) return transcript
  return change(transcript, itemId, role, (item) =>
    text === null || text === '' || item.text !== ''
      ? item
      : { ...item, text, isFinal: role === 'user' || isReplay(itemId) },
  )
}

function endResponse(
  transcript: Transcript,
  { status, responseId, itemIds }: Extract<SessionEvent, { type: 'response.done' }>,
): Transcript {
  const isOfResponse = (item: TranscriptItem) =>
    itemIds.includes(item.id) || (responseId !== null && item.responseId === responseId)
  if (!transcript.some((item) => isOfResponse(item) && (!item.isFinal || status === 'cancelled')))
    return transcript
  return transcript.map((item) =>
    isOfResponse(item)
      ? { ...item, isFinal: true, isInterrupted: item.isInterrupted || status === 'cancelled' }
      : item,
  )
}

function appendText(item: TranscriptItem, delta: string): TranscriptItem {
  return item.isFinal ? item : { ...item, text: item.text + delta }
}

function change(
  transcript: Transcript,
  id: string,
  role: TranscriptItem['role'],
  edit: (item: TranscriptItem) => TranscriptItem,
): Transcript {
  const place = transcript.findIndex((item) => item.id === id)
  const item = transcript[place]
  if (item === undefined) return [...transcript, edit({ id, role, ...blank })]
  const edited = edit(item)
  return edited === item ? transcript : transcript.with(place, edited)
}
