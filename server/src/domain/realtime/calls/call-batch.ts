/** The tool calls of one response, and how far their outputs have come. */
export interface Batch {
  readonly responseId: string
  readonly isDone: boolean
  /** Cancelled, and no later response has been created yet. */
  readonly isCutOff: boolean
  /** Calls of the service that have no output yet. */
  readonly openCalls: readonly string[]
  /** Outputs that no response has read: posted by us, not yet echoed by the provider. */
  readonly posted: readonly string[]
  /** The same, echoed. */
  readonly echoed: readonly string[]
  /** How many calls of the response are the client's. */
  readonly clientCalls: number
  /** The client has requested a response since the calls were made. */
  readonly hasClientRequested: boolean
}

export function newBatch(responseId: string, isDone: boolean): Batch {
  return {
    responseId,
    isDone,
    isCutOff: false,
    openCalls: [],
    posted: [],
    echoed: [],
    clientCalls: 0,
    hasClientRequested: false,
  }
}

/** A batch whose outputs are all in, unread, and not left to somebody else. */
export function isDue(batch: Batch): boolean {
  return (
    batch.isDone &&
    !batch.isCutOff &&
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
export const isAlive = (batch: Batch) => !batch.isDone || batch.openCalls.length > 0 || hasUnread(batch)

/** A response has read what was echoed, and of what was only posted what it is known to have read. */
export function readOutputs(batch: Batch, unechoed: ReadonlySet<string>): Batch {
  return { ...batch, isCutOff: false, echoed: [], posted: batch.posted.filter((id) => !unechoed.has(id)) }
}
