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

export function newBatch(responseId: string, isDone: boolean): Batch {
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

/** A batch whose outputs are all in, unread, and not left to somebody else. */
export const isDue = (batch: Batch) => batch.isDone && isDueOnceDone(batch)

/** The same, should its response be done. */
export function isDueOnceDone(batch: Batch): boolean {
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

/** A batch of which nothing is left to do is forgotten. */
export function isAlive(batch: Batch): boolean {
  return !batch.isDone || batch.openCalls.length > 0 || hasUnread(batch) || batch.presumed.length > 0
}

/** What a response has read of the outputs that are in. */
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
    // A later response, of which nothing is presumed, proves nothing about an earlier one.
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
