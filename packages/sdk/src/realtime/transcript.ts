import type { SessionEvent } from './session-event.js'

/** A segment of one side. The text grows until it is final. */
export interface TranscriptItem {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** Whether the text is final. */
  readonly isFinal: boolean
  /** Whether the user interrupted before all of it was heard. */
  readonly isInterrupted: boolean
  /** The length of an interrupted answer that was heard. `null` if unknown. */
  readonly heardMilliseconds: number | null
  /** Why there is no text. `null` if there is a text or it will follow. */
  readonly failure: string | null
  /** The response of the segment. */
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

/** The item ids that the service uses when it replays a conversation. The summary and the files are not part of the transcript. */
const replayed = /^past_[0-9a-f]{24}$/
const isReplay = (itemId: string) => itemId.startsWith('past_')

/**
 * An item gets its position when it is first mentioned. For speech that is before its text is known, so a late transcription
 * does not change the order.
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
        isFinal: event.isFinal,
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

/** Marks an interrupted answer. */
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

/** The session has ended. Another session does not finish its open items. */
export function endTranscript(transcript: Transcript): Transcript {
  if (transcript.every(({ isFinal }) => isFinal)) return transcript
  return transcript.map((item) => (item.isFinal ? item : { ...item, isFinal: true, isInterrupted: true }))
}

function addItem(
  transcript: Transcript,
  { itemId, role, text }: Extract<SessionEvent, { type: 'item.added' }>,
): Transcript {
  // After a reconnect the service replays the conversation to the model. It is already in this transcript.
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
  const index = transcript.findIndex((item) => item.id === id)
  const item = transcript[index]
  if (item === undefined) return [...transcript, edit({ id, role, ...blank })]
  const edited = edit(item)
  return edited === item ? transcript : transcript.with(index, edited)
}
