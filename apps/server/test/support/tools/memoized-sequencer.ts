import { type SequencerStep, stepSequencer } from '#server/domain/realtime/calls/response-sequencer.js'
import type { SequencerEvent, SequencerState } from '#server/domain/realtime/calls/sequencer-state.js'

interface Remembered {
  readonly number: number
  readonly state: SequencerState
  readonly steps: Map<string, SequencerStep>
}

const byKey = new Map<string, Remembered>()
const byState = new WeakMap<SequencerState, Remembered>()

/**
 * A memoized step of the sequencer. The step is a pure function, and an exploration repeats a few thousand
 * steps millions of times. Equal states are returned as the same object.
 */
export function stepMemoized(state: SequencerState, event: SequencerEvent): SequencerStep {
  const { steps, state: first } = remember(state)
  const eventKey = keyOfEvent(event)
  const known = steps.get(eventKey)
  if (known) return known
  const step = stepSequencer(first, event)
  const remembered = { ...step, state: remember(step.state).state }
  steps.set(eventKey, remembered)
  return remembered
}

/** Returns the same number for equal states. */
export const numberOf = (state: SequencerState): number => remember(state).number

function remember(state: SequencerState): Remembered {
  const known = byState.get(state)
  if (known) return known
  const key = keyOfState(state)
  const equal = byKey.get(key)
  if (equal) return equal
  const remembered = { number: byKey.size, state, steps: new Map() }
  byKey.set(key, remembered)
  byState.set(state, remembered)
  return remembered
}

function keyOfEvent(event: SequencerEvent): string {
  switch (event.type) {
    case 'responseSeen':
    case 'clientCall':
    case 'clientCallCutOff':
      return `${event.type}/${event.responseId}`
    case 'responseCreated':
      return `${event.type}/${event.responseId}/${event.isOutOfBand}`
    case 'responseDone':
      return `${event.type}/${event.responseId}/${event.isCancelled}`
    case 'backendCall':
      return `${event.type}/${event.responseId}/${event.callId}`
    case 'outputPosted':
    case 'outputEchoed':
      return `${event.type}/${event.callId}`
    case 'requestRefused':
      return `${event.type}/${event.isOurs}`
    case 'clientRequest':
    case 'requestLost':
    case 'responsesLost':
    case 'retryDue':
      return event.type
  }
}

function keyOfState(it: SequencerState): string {
  let key = `${it.activeResponses}/${it.seenResponses}/${it.endedResponses}/${it.lostResponses}/`
  key += `${it.outOfBandResponses}/${it.refusals}/${it.isBackingOff}/${it.doesEcho}`
  for (const batch of it.batches) key += `;${keyOfBatch(batch)}`
  for (const request of it.requests) key += `!${keyOfRequest(request)}`
  return it.presumedRequest === null ? key : `${key}?${keyOfRequest(it.presumedRequest)}`
}

function keyOfBatch(batch: SequencerState['batches'][number]): string {
  const { isDone, isOnHold, openCalls, posted, echoed, presumed, clientCalls, hasClientRequested } = batch
  const claims = `${batch.responseId}/${isDone}/${isOnHold}/${hasClientRequested}`
  return `${claims}/${openCalls}/${posted}/${echoed}/${presumed}/${clientCalls}`
}

function keyOfRequest({ isOurs, isFollowed, ...outputs }: SequencerState['requests'][number]): string {
  return `${isOurs}/${isFollowed}/${outputs.outputsBefore}/${outputs.unechoedBefore}`
}
