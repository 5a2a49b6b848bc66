import {
  type Batch,
  echoOutput,
  isAlive,
  isDue,
  isKnown,
  ownRequestOf,
  postOutput,
  type ReadOutputs,
  type ResponseRequest,
  readOutputs,
  remembered,
  type SequencerEvent,
  type SequencerState,
  unreadOutputs,
  withBatch,
  withEveryBatch,
  withNewBatch,
  without,
} from './sequencer-state.js'

/*
 * Decides when the service requests a response. The states of one batch, the calls of one response:
 *
 *   open ──last output posted, response done──► due ──response.create──► requested ──response created──► read
 *    │                                           ▲                          │
 *    │                                           └──refused, lost───────────┘
 *    └──response cancelled──► on hold ──another response created──► due
 *
 * A batch is due if no response is active and no later response has read its outputs. The order of the provider's events
 * shows which outputs a response has read: those that were echoed before it was created. Some providers send no echoes.
 * In that case, a response that follows a request is presumed to have read all outputs that were sent before the request,
 * until an echo or a refusal disproves this.
 *
 * If the response also called client tools, the client requests the next response. The service then sends a request only
 * if the client's request was sent before the last output. After a cancelled response, the user is speaking or wants
 * silence, so the service waits for another response.
 *
 * A request that is not answered, or a response that does not end, counts as lost after a time limit (see
 * response-requests.ts). After five refusals, the batch is put on hold.
 *
 * The state is plain data and the step function is pure, so that a test can try every interleaving.
 */

/** After this many refusals, the service waits for another response, which may have read the outputs. */
const maxRefusals = 5

/**
 * The maximum number of stored client requests. No real client reaches it. Further requests are dropped,
 * because every step copies all requests.
 */
const maxRequests = 100

/**
 * The maximum number of active responses. No provider reaches it. If it is exceeded, the provider has omitted
 * the end of the oldest response.
 */
const maxActiveResponses = 64

export interface SequencerStep {
  readonly state: SequencerState
  /** Whether to send `response.create` now. */
  readonly mustRequest: boolean
}

export function stepSequencer(state: SequencerState, event: SequencerEvent): SequencerStep {
  const next = apply(state, event)
  const mustRequest = isRequestDue(next)
  return { state: mustRequest ? withRequest(next, true) : next, mustRequest }
}

function apply(state: SequencerState, event: SequencerEvent): SequencerState {
  switch (event.type) {
    case 'responseSeen':
      return isKnown(state, event.responseId) ? state : seen(state, event.responseId)
    case 'responseCreated':
      return created(state, event)
    case 'responseDone':
      return state.endedResponses.includes(event.responseId) ? state : done(state, event)
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
      return echoed(state, event.callId)
    case 'clientRequest':
      return withRequest(
        withEveryBatch(state, (batch) =>
          batch.clientCalls > 0 ? { ...batch, hasClientRequested: true } : batch,
        ),
        false,
      )
    case 'requestRefused':
      return event.isOurs ? refused(state) : clientRefused(state)
    case 'requestLost':
      return requestLost(state)
    case 'responsesLost':
      return responsesLost(state)
    case 'retryDue':
      return { ...state, isBackingOff: false }
  }
}

function withRequest(state: SequencerState, isOurs: boolean): SequencerState {
  if (!isOurs && state.requests.length >= maxRequests) return state
  const unechoedBefore = state.batches.flatMap(({ posted }) => posted)
  const outputsBefore = [...unechoedBefore, ...state.batches.flatMap(({ echoed }) => echoed)]
  const request = { isOurs, outputsBefore, unechoedBefore, isFollowed: false }
  return { ...state, requests: [...state.requests, request] }
}

function created(
  state: SequencerState,
  { responseId, isOutOfBand }: Extract<SequencerEvent, { type: 'responseCreated' }>,
): SequencerState {
  if (state.endedResponses.includes(responseId)) return state
  if (isOutOfBand)
    return {
      ...state,
      outOfBandResponses: [...without(state.outOfBandResponses, responseId), responseId].slice(
        -maxActiveResponses,
      ),
      seenResponses: remembered(state.seenResponses, responseId),
    }
  const next = isKnown(state, responseId) ? state : begun(state, responseId)
  const activeResponses = [...without(next.activeResponses, responseId), responseId]
  const [oldest] = activeResponses
  const active = { ...next, activeResponses }
  return oldest === undefined || activeResponses.length <= maxActiveResponses
    ? active
    : done(active, { responseId: oldest, isCancelled: false })
}

/**
 * A response reads the conversation up to its creation, and requests are answered in order. If the provider
 * echoes outputs, and has not echoed all outputs before the first request, this response does not answer that
 * request.
 */
function begun(state: SequencerState, responseId: string): SequencerState {
  const [first] = state.requests
  const isRequested = first !== undefined && (!state.doesEcho || first.unechoedBefore.length === 0)
  const isPresumed = isRequested && first.unechoedBefore.length > 0
  return withResponse(state, responseId, {
    answered: isRequested ? first : null,
    isEchoedRead: true,
    presumed: isPresumed ? new Set(first.unechoedBefore) : null,
  })
}

/**
 * Handles a response whose creation was not announced. It may have been created before the latest outputs. If
 * a request is pending, the response is presumed to answer it. Otherwise, it is presumed to have read no
 * outputs.
 */
function seen(state: SequencerState, responseId: string): SequencerState {
  const [first] = state.requests
  const isRequested = first !== undefined && (!state.doesEcho || first.unechoedBefore.length === 0)
  return withResponse(state, responseId, {
    answered: isRequested ? first : null,
    isEchoedRead: false,
    presumed: isRequested ? new Set(first.outputsBefore) : null,
  })
}

function withResponse(
  state: SequencerState,
  responseId: string,
  { answered, ...read }: ReadOutputs & { readonly answered: ResponseRequest | null },
): SequencerState {
  return {
    ...state,
    seenResponses: remembered(state.seenResponses, responseId),
    lostResponses: [],
    batches: state.batches.map((batch) => readOutputs(batch, read)).filter(isAlive),
    requests: (answered === null ? state.requests : state.requests.slice(1)).map(followed),
    presumedRequest: read.presumed === null ? state.presumedRequest : answered,
    refusals: answered?.isOurs ? 0 : state.refusals,
    isBackingOff: false,
  }
}

const followed = (request: ResponseRequest): ResponseRequest => ({ ...request, isFollowed: true })

function done(
  state: SequencerState,
  { responseId, isCancelled }: Omit<Extract<SequencerEvent, { type: 'responseDone' }>, 'type'>,
): SequencerState {
  return {
    ...withBatch(state, responseId, (batch) => ({ ...batch, isDone: true, isOnHold: isCancelled })),
    activeResponses: without(state.activeResponses, responseId),
    outOfBandResponses: without(state.outOfBandResponses, responseId),
    lostResponses: without(state.lostResponses, responseId),
    endedResponses: remembered(state.endedResponses, responseId),
    isBackingOff: false,
  }
}

/**
 * Handles the echo of an output. A response that was created before the echo does not answer a request that
 * was sent after the output.
 */
function echoed(state: SequencerState, callId: string): SequencerState {
  const isDisproved = state.presumedRequest?.unechoedBefore.includes(callId) === true
  const { batches, requests, ...rest } = isDisproved ? withoutPresumption(state) : state
  return {
    ...rest,
    presumedRequest: isDisproved ? null : state.presumedRequest,
    batches: batches.map((batch) => echoOutput(batch, callId)),
    requests: requests.map((request) => ({
      ...request,
      unechoedBefore: without(request.unechoedBefore, callId),
    })),
    doesEcho: state.doesEcho || isPosted(state, callId),
  }
}

const isPosted = ({ batches }: SequencerState, callId: string) =>
  batches.some(({ posted, presumed }) => posted.includes(callId) || presumed.includes(callId))

/** Reverts the presumption that the latest response answered the request. */
function withoutPresumption(state: SequencerState): SequencerState {
  if (state.presumedRequest === null) return state
  const { unechoedBefore } = state.presumedRequest
  const isEchoed = (callId: string) => !unechoedBefore.includes(callId)
  return {
    ...withEveryBatch(state, (batch) => unreadOutputs(batch, isEchoed)),
    requests: [followed(state.presumedRequest), ...state.requests],
    presumedRequest: null,
  }
}

function refused(before: SequencerState): SequencerState {
  const state = ownRequestOf(before) === 'presumed' ? withoutPresumption(before) : before
  const refusals = state.refusals + 1
  const next = {
    ...withoutRequest(state, true),
    activeResponses: [...state.activeResponses, ...state.lostResponses],
    lostResponses: [],
  }
  // An active or recent response explains the refusal, so the next request may succeed.
  const request = state.requests.find(({ isOurs }) => isOurs)
  const isExplained = state.activeResponses.length > 0 || request?.isFollowed === true
  if (refusals < maxRefusals || isExplained)
    return { ...next, isBackingOff: true, refusals: Math.min(refusals, maxRefusals - 1) }
  const held = state.batches.map((batch) => (isDue(batch) ? { ...batch, isOnHold: true } : batch))
  return { ...next, batches: held, refusals: 0 }
}

/**
 * The refusal does not say which of the client's requests it is about, and the first one may have been
 * answered by an unannounced response. Therefore, the next request inherits the position of the first one.
 */
function clientRefused(state: SequencerState): SequencerState {
  const refused = state.requests.find(({ isOurs }) => !isOurs)
  const next = withoutRequest(state, false)
  const at = next.requests.findIndex(({ isOurs }) => !isOurs)
  const successor = next.requests[at]
  if (refused === undefined || successor === undefined) return next
  const { outputsBefore, unechoedBefore } = refused
  return { ...next, requests: next.requests.with(at, { ...successor, outputsBefore, unechoedBefore }) }
}

/**
 * Handles a request that got no response. If a response was created after the request, and the outputs before
 * the request were not echoed, then that response was the answer and this provider sends no echoes.
 */
function requestLost(state: SequencerState): SequencerState {
  const [first] = state.requests
  if (first === undefined) return state
  if (!first.isFollowed || first.unechoedBefore.length === 0)
    return first.isOurs ? refused(state) : withoutRequest(state, false)
  const unechoed = new Set(first.unechoedBefore)
  const posted = (batch: Batch) => batch.posted.filter((id) => !unechoed.has(id))
  const batches = state.batches.map((batch) => ({ ...batch, posted: posted(batch) }))
  return {
    ...state,
    batches: batches.filter(isAlive),
    requests: state.requests.slice(1),
    doesEcho: false,
  }
}

function responsesLost(state: SequencerState): SequencerState {
  const { activeResponses: lost } = state
  const isLost = ({ responseId }: Batch) => lost.includes(responseId)
  return {
    ...withEveryBatch(state, (batch) => (isLost(batch) ? { ...batch, isDone: true } : batch)),
    activeResponses: [],
    lostResponses: lost,
  }
}

/** Removes the first pending request of the service or of the client. */
function withoutRequest(state: SequencerState, isOurs: boolean): SequencerState {
  const at = state.requests.findIndex((request) => request.isOurs === isOurs)
  return at < 0 ? state : { ...state, requests: state.requests.toSpliced(at, 1) }
}

function isRequestDue(state: SequencerState): boolean {
  const isFree = state.requests.length === 0 && !state.isBackingOff && state.activeResponses.length === 0
  return isFree && state.batches.some(isDue)
}
