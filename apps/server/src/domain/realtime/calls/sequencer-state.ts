/** A pending request for a response, of the service or of the client. */
export interface ResponseRequest {
  readonly isOurs: boolean
  /** Outputs that left before it and that no response had read. */
  readonly outputsBefore: readonly string[]
  /** Those of them that the provider has not echoed: it will take them first. */
  readonly unechoedBefore: readonly string[]
  /** A response was created since it left that was not taken for its own. */
  readonly isFollowed: boolean
}

/** The state of a session's responses. This is the only list of active responses. */
export interface SequencerState {
  readonly activeResponses: readonly string[]
  /** Active apart from the conversation: they neither read outputs nor stand in the way of a response that does. */
  readonly outOfBandResponses: readonly string[]
  /** The latest responses by id, whether they were announced or only seen, and those that have ended. */
  readonly seenResponses: readonly string[]
  readonly endedResponses: readonly string[]
  /** Taken for lost: should a request be refused, they are active after all. */
  readonly lostResponses: readonly string[]
  readonly batches: readonly Batch[]
  /** Requests that neither got a response nor a refusal, in the order they left. */
  readonly requests: readonly ResponseRequest[]
  /** The request that the latest response is presumed to be the answer to. */
  readonly presumedRequest: ResponseRequest | null
  /** We were refused; something must happen before we request again. */
  readonly isBackingOff: boolean
  readonly refusals: number
  /** Whether this provider has echoed an output. Without echoes only the order of sent messages is known. */
  readonly doesEcho: boolean
}

export type SequencerEvent =
  /** An event names a response that was not announced. */
  | { readonly type: 'responseSeen'; readonly responseId: string }
  | { readonly type: 'responseCreated'; readonly responseId: string; readonly isOutOfBand: boolean }
  | { readonly type: 'responseDone'; readonly responseId: string; readonly isCancelled: boolean }
  | { readonly type: 'backendCall'; readonly responseId: string; readonly callId: string }
  | { readonly type: 'clientCall'; readonly responseId: string }
  /** The client will never answer it: it was cut off before it was complete. */
  | { readonly type: 'clientCallCutOff'; readonly responseId: string }
  | { readonly type: 'outputPosted'; readonly callId: string }
  | { readonly type: 'outputEchoed'; readonly callId: string }
  | { readonly type: 'clientRequest' }
  /** Our request was refused; the client's was, where `isOurs` is false. */
  | { readonly type: 'requestRefused'; readonly isOurs: boolean }
  /** The first request has got neither a response nor a refusal for too long. */
  | { readonly type: 'requestLost' }
  /** An answer is due once the active responses are done, and nothing is heard of them any more. */
  | { readonly type: 'responsesLost' }
  /** Some time has passed since the refusal. */
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

/** The key of a response without an id. */
const unnamedResponse = ''

export function responseKey({ responseId }: { readonly responseId: string | null }): string {
  return responseId ?? unnamedResponse
}

/** Returns whether a request of the service is pending, or may be although a response was presumed to be its answer. */
export function ownRequestOf(state: SequencerState): 'pending' | 'presumed' | null {
  if (state.requests.some(({ isOurs }) => isOurs)) return 'pending'
  return state.presumedRequest?.isOurs === true ? 'presumed' : null
}

/** Returns the event that the next request waits for and that may never come. */
export function awaitedOf(state: SequencerState): 'request' | 'responses' | null {
  if (state.requests.length > 0) return 'request'
  return state.activeResponses.length > 0 && state.batches.some(isDueOnceDone) ? 'responses' : null
}

/** Whether any response is active, in the conversation or apart from it. */
export function hasActiveResponse({ activeResponses, outOfBandResponses }: SequencerState): boolean {
  return activeResponses.length + outOfBandResponses.length > 0
}

/** How many responses are remembered: what is said of one twice is said within the next few. */
const maxRemembered = 16

/** Whether anything was said of this response. Those without an id cannot be told apart. */
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

/** The limit of responses with unread outputs. Beyond it, the oldest batch is dropped. */
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

/** The tool calls of one response, and how far their outputs have come. */
export interface Batch {
  readonly responseId: string
  readonly isDone: boolean
  /** Cancelled, or requested in vain too often, and no other response has been since. */
  readonly isOnHold: boolean
  /** Calls of the service that have no output yet. */
  readonly openCalls: readonly string[]
  /** Outputs that no response has read: posted by us, not yet echoed by the provider. */
  readonly posted: readonly string[]
  /** The same, echoed. */
  readonly echoed: readonly string[]
  /** Outputs that the latest response is taken to have read; an echo or a refusal may still prove that it has not. */
  readonly presumed: readonly string[]
  /** How many calls of the response are the client's. */
  readonly clientCalls: number
  /** The client has requested a response since the calls were made. */
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

/** Whether all outputs of a batch are posted and unread, and the service must request the next response. */
export const isDue = (batch: Batch) => batch.isDone && isDueOnceDone(batch)

/** The same, should its response be done. */
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

/** Whether a batch still needs work. Other batches are dropped. */
export function isAlive(batch: Batch): boolean {
  return !batch.isDone || batch.openCalls.length > 0 || hasUnread(batch) || batch.presumed.length > 0
}

/** The outputs that a response has read. */
export interface ReadOutputs {
  readonly isEchoedRead: boolean
  /** Those that it is presumed to have read; null where nothing is presumed of it. */
  readonly presumed: ReadonlySet<string> | null
}

/** A response has begun, and has read these. */
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

/** The response has not read what it was presumed to have. */
export function unreadOutputs(batch: Batch, isEchoed: (callId: string) => boolean): Batch {
  const { presumed } = batch
  return {
    ...batch,
    posted: [...presumed.filter((id) => !isEchoed(id)), ...batch.posted],
    echoed: [...presumed.filter(isEchoed), ...batch.echoed],
    presumed: [],
  }
}
