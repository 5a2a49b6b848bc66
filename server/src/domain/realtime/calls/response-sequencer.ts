import { type Batch, echoOutput, isAlive, isDue, newBatch, postOutput, readOutputs } from './call-batch.js'

/*
 * When may the service request a response? One machine for one race.
 *
 *   A response makes calls: a batch. Their outputs are posted as they come. Once the response is done, the last output
 *   of the batch is posted and nothing is active, one `response.create` goes out, unless a response that was created
 *   after the outputs has read them. Whether it has is known from the order of the provider's own events: an output
 *   that the provider echoed before it created a response is part of what that response reads.
 *
 *   Where the same response also called client tools, the client creates the next response itself, as always; ours
 *   follows only if the client's came before our last output. A response that was cancelled was cut off by somebody
 *   who now speaks, or who wanted silence: ours waits until theirs has been.
 *
 * The state is plain data and the step is pure, so that every interleaving can be walked.
 */

/** A request for a response that is on its way, ours or the client's. */
export interface ResponseRequest {
  readonly isOurs: boolean
  /** Outputs that left before it and that the provider has not echoed: it will take them first. */
  readonly unechoedBefore: readonly string[]
}

/** All that is known of the responses of a session; nobody else keeps a list of those that are active. */
export interface SequencerState {
  readonly activeResponses: readonly string[]
  /** Active apart from the conversation: they neither read outputs nor stand in the way of a response that does. */
  readonly outOfBandResponses: readonly string[]
  readonly batches: readonly Batch[]
  /** Requests that neither got a response nor a refusal, in the order they left. */
  readonly requests: readonly ResponseRequest[]
  /** We were refused; something must happen before we request again. */
  readonly isBackingOff: boolean
  readonly refusals: number
  /** Whether this provider echoes items at all. Of one that does not, only the order of what we sent is known. */
  readonly doesEcho: boolean
}

export type SequencerEvent =
  | { readonly type: 'responseCreated'; readonly responseId: string; readonly isOutOfBand: boolean }
  | { readonly type: 'responseDone'; readonly responseId: string; readonly isCancelled: boolean }
  | { readonly type: 'backendCall'; readonly responseId: string; readonly callId: string }
  | { readonly type: 'clientCall'; readonly responseId: string }
  /** The client will never answer it: it was cut off before it was complete. */
  | { readonly type: 'clientCallCutOff'; readonly responseId: string }
  | { readonly type: 'outputPosted'; readonly callId: string }
  | { readonly type: 'outputEchoed'; readonly callId: string }
  | { readonly type: 'itemEchoed' }
  | { readonly type: 'clientRequest' }
  /** Our request was refused; the client's was, where `isOurs` is false. */
  | { readonly type: 'requestRefused'; readonly isOurs: boolean }
  /** Some time has passed since the refusal. */
  | { readonly type: 'retryDue' }

export const idleSequencer: SequencerState = {
  activeResponses: [],
  outOfBandResponses: [],
  batches: [],
  requests: [],
  isBackingOff: false,
  refusals: 0,
  doesEcho: false,
}

/** A provider that goes on refusing is not asked for ever; when the user speaks again, the outputs are read all the same. */
const maxRefusals = 5

export interface SequencerStep {
  readonly state: SequencerState
  /** Whether `response.create` is to be sent now. */
  readonly mustRequest: boolean
}

export function stepSequencer(state: SequencerState, event: SequencerEvent): SequencerStep {
  const next = apply(state, event)
  const mustRequest = isRequestDue(next)
  return { state: mustRequest ? withRequest(next, true) : next, mustRequest }
}

/** What a response goes by whose id the provider leaves out. */
const unnamedResponse = ''

export function responseKey({ responseId }: { readonly responseId: string | null }): string {
  return responseId ?? unnamedResponse
}

function apply(state: SequencerState, event: SequencerEvent): SequencerState {
  switch (event.type) {
    case 'responseCreated':
      return event.isOutOfBand
        ? { ...state, outOfBandResponses: [...state.outOfBandResponses, event.responseId] }
        : created(state, event.responseId)
    case 'responseDone':
      return {
        ...withBatch(state, event.responseId, (batch) => ({
          ...batch,
          isDone: true,
          isCutOff: event.isCancelled,
        })),
        activeResponses: state.activeResponses.filter((id) => id !== event.responseId),
        outOfBandResponses: state.outOfBandResponses.filter((id) => id !== event.responseId),
        isBackingOff: false,
      }
    case 'backendCall':
      return withNewBatch(state, event.responseId, (batch) => ({
        ...batch,
        openCalls: [...batch.openCalls, event.callId],
      }))
    case 'clientCall':
      return withNewBatch(state, event.responseId, (batch) => ({
        ...batch,
        clientCalls: batch.clientCalls + 1,
      }))
    case 'clientCallCutOff':
      return withBatch(state, event.responseId, (batch) => ({
        ...batch,
        clientCalls: Math.max(0, batch.clientCalls - 1),
      }))
    case 'outputPosted':
      return withEveryBatch(state, (batch) => postOutput(batch, event.callId))
    case 'outputEchoed':
      return {
        ...withEveryBatch(state, (batch) => echoOutput(batch, event.callId)),
        requests: state.requests.map(({ isOurs, unechoedBefore }) => ({
          isOurs,
          unechoedBefore: unechoedBefore.filter((id) => id !== event.callId),
        })),
        doesEcho: true,
      }
    case 'itemEchoed':
      return state.doesEcho ? state : { ...state, doesEcho: true }
    case 'clientRequest':
      return withRequest(
        withEveryBatch(state, (batch) =>
          batch.clientCalls > 0 ? { ...batch, hasClientRequested: true } : batch,
        ),
        false,
      )
    case 'requestRefused':
      return event.isOurs ? refused(state) : withoutRequest(state, false)
    case 'retryDue':
      return { ...state, isBackingOff: false }
  }
}

function withRequest(state: SequencerState, isOurs: boolean): SequencerState {
  const unechoedBefore = state.batches.flatMap(({ posted }) => posted)
  return { ...state, requests: [...state.requests, { isOurs, unechoedBefore }] }
}

/**
 * A response reads what stood in the conversation before it. Requests are taken in the order they left: where the first
 * of them still has outputs before it that were not echoed, somebody else has caused this response.
 */
function created(state: SequencerState, responseId: string): SequencerState {
  const [first] = state.requests
  const isRequested = first !== undefined && (!state.doesEcho || first.unechoedBefore.length === 0)
  const unechoed = new Set(isRequested && !state.doesEcho ? first.unechoedBefore : [])
  return {
    ...state,
    activeResponses: [...state.activeResponses, responseId],
    batches: state.batches.map((batch) => readOutputs(batch, unechoed)).filter(isAlive),
    requests: isRequested ? state.requests.slice(1) : state.requests,
    refusals: isRequested && first.isOurs ? 0 : state.refusals,
    isBackingOff: false,
  }
}

function refused(state: SequencerState): SequencerState {
  const refusals = state.refusals + 1
  const next = withoutRequest(state, true)
  if (refusals < maxRefusals) return { ...next, isBackingOff: true, refusals }
  return { ...next, batches: state.batches.filter((batch) => !isDue(batch)), refusals: 0 }
}

/** The first request of that side is over. */
function withoutRequest(state: SequencerState, isOurs: boolean): SequencerState {
  const at = state.requests.findIndex((request) => request.isOurs === isOurs)
  return at < 0 ? state : { ...state, requests: state.requests.toSpliced(at, 1) }
}

/** Whether a request of ours is on its way. */
export const hasOwnRequest = ({ requests }: SequencerState) => requests.some(({ isOurs }) => isOurs)

/** Whether any response is active, in the conversation or apart from it. */
export function hasActiveResponse({ activeResponses, outOfBandResponses }: SequencerState): boolean {
  return activeResponses.length + outOfBandResponses.length > 0
}

function isRequestDue(state: SequencerState): boolean {
  const isFree = state.requests.length === 0 && !state.isBackingOff && state.activeResponses.length === 0
  return isFree && state.batches.some(isDue)
}

function withEveryBatch(state: SequencerState, change: (batch: Batch) => Batch): SequencerState {
  return { ...state, batches: state.batches.map(change) }
}

function withBatch(
  state: SequencerState,
  responseId: string,
  change: (batch: Batch) => Batch,
): SequencerState {
  const batches = state.batches.map((batch) => (batch.responseId === responseId ? change(batch) : batch))
  return { ...state, batches: batches.filter(isAlive) }
}

function withNewBatch(
  state: SequencerState,
  responseId: string,
  change: (batch: Batch) => Batch,
): SequencerState {
  const isKnown = state.batches.some((batch) => batch.responseId === responseId)
  const fresh = newBatch(responseId, !state.activeResponses.includes(responseId))
  return withBatch(isKnown ? state : { ...state, batches: [...state.batches, fresh] }, responseId, change)
}
