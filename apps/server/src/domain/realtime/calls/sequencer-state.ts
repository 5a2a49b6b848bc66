/** A pending response request of the service or of the client. */
export interface ResponseRequest {
  readonly isOurs: boolean
  /** Outputs that were sent before the request and not read by a response at that time. */
  readonly outputsBefore: readonly string[]
  /** Those outputs that the provider has not echoed yet. It will process them before the request. */
  readonly unechoedBefore: readonly string[]
  /** Whether a response was created after the request was sent, and was not taken as its answer. */
  readonly isFollowed: boolean
}

/** The state of a session's responses. Active responses are stored only here. */
export interface SequencerState {
  readonly activeResponses: readonly string[]
  /** Active out-of-band responses. They neither read outputs nor block responses that read them. */
  readonly outOfBandResponses: readonly string[]
  /** The ids of the latest responses: announced or seen in other events, and ended. */
  readonly seenResponses: readonly string[]
  readonly endedResponses: readonly string[]
  /** Responses that were declared lost. If a request is refused, they are considered active again. */
  readonly lostResponses: readonly string[]
  readonly batches: readonly Batch[]
  /** Requests that were neither answered nor refused, in the order in which they were sent. */
  readonly requests: readonly ResponseRequest[]
  /** The request that the latest response is presumed to answer. */
  readonly presumedRequest: ResponseRequest | null
  /**
   * Whether the service's request was refused. The service then waits for the retry delay or for the next
   * event of a response.
   */
  readonly isBackingOff: boolean
  readonly refusals: number
  /** Whether this provider has echoed an output. Without echoes, only the order of sent messages is known. */
  readonly doesEcho: boolean
}

export type SequencerEvent =
  /** An event contained the id of a response that was not announced. */
  | { readonly type: 'responseSeen'; readonly responseId: string }
  | { readonly type: 'responseCreated'; readonly responseId: string; readonly isOutOfBand: boolean }
  | { readonly type: 'responseDone'; readonly responseId: string; readonly isCancelled: boolean }
  | { readonly type: 'backendCall'; readonly responseId: string; readonly callId: string }
  | { readonly type: 'clientCall'; readonly responseId: string }
  /** The call was cut off before it was complete, so the client will never answer it. */
  | { readonly type: 'clientCallCutOff'; readonly responseId: string }
  | { readonly type: 'outputPosted'; readonly callId: string }
  | { readonly type: 'outputEchoed'; readonly callId: string }
  | { readonly type: 'clientRequest' }
  /** The first pending request was refused: the service's if `isOurs` is true, otherwise the client's. */
  | { readonly type: 'requestRefused'; readonly isOurs: boolean }
  /** The first request was neither answered nor refused within the time limit. */
  | { readonly type: 'requestLost' }
  /** A response is due after the active ones, but none of them has sent an event within the time limit. */
  | { readonly type: 'responsesLost' }
  /** The delay after a refusal has passed. */
  | { readonly type: 'retryDue' }

export const idleSequencer: SequencerState = {
  activeResponses: [],
  outOfBandResponses: [],
  seenResponses: [],
  endedResponses: [],
  lostResponses: [],
  batches: [],
  requests: [],
  presumedRequest: null,
  isBackingOff: false,
  refusals: 0,
  doesEcho: false,
}

/** The key for responses without an id. */
const unnamedResponse = ''

export function responseKey({ responseId }: { readonly responseId: string | null }): string {
  return responseId ?? unnamedResponse
}

/** Returns whether a request of the service is pending, or was only presumed to be answered. */
export function ownRequestOf(state: SequencerState): 'pending' | 'presumed' | null {
  if (state.requests.some(({ isOurs }) => isOurs)) return 'pending'
  return state.presumedRequest?.isOurs === true ? 'presumed' : null
}

/** Returns the event that blocks the next request and that may never arrive. */
export function awaitedOf(state: SequencerState): 'request' | 'responses' | null {
  if (state.requests.length > 0) return 'request'
  return state.activeResponses.length > 0 && state.batches.some(isDueOnceDone) ? 'responses' : null
}

/** Returns whether any response is active, including out-of-band responses. */
export function hasActiveResponse({ activeResponses, outOfBandResponses }: SequencerState): boolean {
  return activeResponses.length + outOfBandResponses.length > 0
}

/**
 * The number of response ids to remember. Repeated events about a response arrive before the end of the next
 * few responses.
 */
const maxRemembered = 16

/**
 * Returns whether an event about this response was received. Responses without an id cannot be distinguished.
 */
export function isKnown({ seenResponses }: SequencerState, responseId: string): boolean {
  return seenResponses.includes(responseId)
}

export function remembered(responseIds: readonly string[], responseId: string): readonly string[] {
  return responseId === unnamedResponse ? responseIds : [...responseIds, responseId].slice(-maxRemembered)
}

export const without = (ids: readonly string[], gone: string) => ids.filter((id) => id !== gone)

export function withEveryBatch(state: SequencerState, change: (batch: Batch) => Batch): SequencerState {
  return { ...state, batches: state.batches.map(change) }
}

export function withBatch(
  state: SequencerState,
  responseId: string,
  change: (batch: Batch) => Batch,
): SequencerState {
  const batches = state.batches.map((batch) => (batch.responseId === responseId ? change(batch) : batch))
  return { ...state, batches: batches.filter(isAlive) }
}

/** The maximum number of batches. If it is exceeded, the oldest batch is dropped. */
const maxBatches = 256

export function withNewBatch(
  state: SequencerState,
  responseId: string,
  change: (batch: Batch) => Batch,
): SequencerState {
  const hasBatch = state.batches.some((batch) => batch.responseId === responseId)
  const fresh = newBatch(responseId, !state.activeResponses.includes(responseId))
  const batches = hasBatch ? state.batches : [...state.batches, fresh].slice(-maxBatches)
  return withBatch({ ...state, batches }, responseId, change)
}

/** The tool calls of one response, and the state of their outputs. */
export interface Batch {
  readonly responseId: string
  readonly isDone: boolean
  /**
   * Whether the response was cancelled or too many requests were refused, and no other response was created
   * since then.
   */
  readonly isOnHold: boolean
  /** The service's calls that have no output yet. */
  readonly openCalls: readonly string[]
  /** Posted outputs that were neither read by a response nor echoed by the provider. */
  readonly posted: readonly string[]
  /** Echoed outputs that were not read by a response. */
  readonly echoed: readonly string[]
  /**
   * Outputs that the latest response is presumed to have read. An echo or a refusal may still disprove this.
   */
  readonly presumed: readonly string[]
  /** The number of client calls in the response. */
  readonly clientCalls: number
  /** Whether the client has requested a response after these calls. */
  readonly hasClientRequested: boolean
}

function newBatch(responseId: string, isDone: boolean): Batch {
  return {
    responseId,
    isDone,
    isOnHold: false,
    openCalls: [],
    posted: [],
    echoed: [],
    presumed: [],
    clientCalls: 0,
    hasClientRequested: false,
  }
}

/**
 * Returns whether all outputs of a batch are posted and unread, and the service must request the next
 * response.
 */
export const isDue = (batch: Batch) => batch.isDone && isDueOnceDone(batch)

/** Returns whether the batch would be due if its response were done. */
function isDueOnceDone(batch: Batch): boolean {
  return (
    !batch.isOnHold &&
    batch.openCalls.length === 0 &&
    hasUnread(batch) &&
    (batch.clientCalls === 0 || batch.hasClientRequested)
  )
}

const hasUnread = (batch: Batch) => batch.posted.length + batch.echoed.length > 0

export function postOutput(batch: Batch, callId: string): Batch {
  if (!batch.openCalls.includes(callId)) return batch
  return {
    ...batch,
    openCalls: batch.openCalls.filter((id) => id !== callId),
    posted: [...batch.posted, callId],
  }
}

export function echoOutput(batch: Batch, callId: string): Batch {
  if (!batch.posted.includes(callId)) return batch
  return { ...batch, posted: batch.posted.filter((id) => id !== callId), echoed: [...batch.echoed, callId] }
}

/** Returns whether a batch still needs work. Other batches are dropped. */
export function isAlive(batch: Batch): boolean {
  return !batch.isDone || batch.openCalls.length > 0 || hasUnread(batch) || batch.presumed.length > 0
}

/** The outputs that a response has read. */
export interface ReadOutputs {
  readonly isEchoedRead: boolean
  /** The outputs that the response is presumed to have read, or null if there is no presumption. */
  readonly presumed: ReadonlySet<string> | null
}

/** Called when a response was created that has read these outputs. */
export function readOutputs(batch: Batch, { isEchoedRead, presumed }: ReadOutputs): Batch {
  const isPresumed = (id: string) => presumed?.has(id) === true
  return {
    ...batch,
    isOnHold: false,
    posted: batch.posted.filter((id) => !isPresumed(id)),
    echoed: isEchoedRead ? [] : batch.echoed.filter((id) => !isPresumed(id)),
    // A later response without a presumption proves nothing about an earlier one.
    presumed: presumed === null ? batch.presumed : [...batch.posted, ...batch.echoed].filter(isPresumed),
  }
}

/** Called when it turns out that the response did not read the presumed outputs. */
export function unreadOutputs(batch: Batch, isEchoed: (callId: string) => boolean): Batch {
  const { presumed } = batch
  return {
    ...batch,
    posted: [...presumed.filter((id) => !isEchoed(id)), ...batch.posted],
    echoed: [...presumed.filter(isEchoed), ...batch.echoed],
    presumed: [],
  }
}
