import {
  awaitedOf,
  ownRequestOf,
  type SequencerEvent,
} from '#server/domain/realtime/calls/sequencer-state.js'
import type { ToolCallEvent } from '#server/domain/tools/calls/tool-call.js'
import {
  emit,
  type ProviderEvent,
  type Request,
  type SimulatedCall,
  type Simulation,
  send,
  withCall,
} from './call-simulation.js'
import { stepMemoized } from './memoized-sequencer.js'
import { beginCall, eventsOfPhase, type MemoizedStep, stepCall } from './memoized-tool-call.js'

export interface Move {
  readonly name: string
  readonly next: Simulation
}

/**
 * Returns every possible next move. This runs hundreds of thousands of times, so all functions add to one
 * list.
 */
export function movesOf(simulation: Simulation): Move[] {
  const moves: Move[] = []
  addEventMoves(moves, simulation)
  addRequestMove(moves, simulation)
  addModelMoves(moves, simulation)
  for (let at = 0; at < simulation.calls.length; at += 1) addCallMoves(moves, simulation, at)
  addServiceMoves(moves, simulation)
  return moves
}

/**
 * Returns whether nothing is pending: no message is in transit, no response is active, and every call is
 * finished.
 */
export function isIdle(simulation: Simulation): boolean {
  return (
    simulation.toProvider.length === 0 &&
    simulation.fromProvider.length === 0 &&
    simulation.active === null &&
    !simulation.owesAnswer &&
    !simulation.sequencer.isBackingOff &&
    awaitedOf(simulation.sequencer) === null &&
    simulation.calls.every(isOver)
  )
}

function isOver({ kind, tool, clientStep }: SimulatedCall): boolean {
  if (kind === 'client') return clientStep === 'asked' || clientStep === 'unheard'
  return tool === null || tool.phase === 'done' || tool.phase === 'released'
}

/** Adds the events that the session may receive next: the oldest one, or one that may overtake it. */
function addEventMoves(moves: Move[], simulation: Simulation): void {
  const { fromProvider, deviation } = simulation
  const reach = deviation.reorders ? fromProvider.length : 1
  for (let at = 0; at < reach; at += 1) {
    const event = fromProvider[at]
    if (event === undefined || (at > 0 && !mayArriveFirst(fromProvider, at))) continue
    const next = { ...simulation, fromProvider: fromProvider.toSpliced(at, 1) }
    moves.push({ name: `receive ${event.type}`, next: receive(next, event) })
  }
}

function addRequestMove(moves: Move[], simulation: Simulation): void {
  const [request, ...laterRequests] = simulation.toProvider
  if (!request) return
  const next = handleRequest({ ...simulation, toProvider: laterRequests }, request)
  moves.push({ name: `provider handles ${request.type}`, next })
}

const mayArriveFirst = (events: readonly ProviderEvent[], at: number) =>
  events.every((earlier, place) => place >= at || mayOvertake(events[at] ?? earlier, earlier))

/**
 * Returns whether the protocol leaves the order of two events open. The start, the calls and the end of a
 * response are ordered, and the next response follows. An item that is echoed before a response starts is
 * part of its input. An echo may therefore be late, but not early. Rejections and echoes answer requests of
 * the service, so their order among other events is open.
 */
function mayOvertake(later: ProviderEvent, earlier: ProviderEvent): boolean {
  if (later.type === 'refused' || earlier.type === 'refused') return true
  if (later.type === 'echo') return earlier.type !== 'created'
  if (earlier.type === 'echo') return true
  return later.type === 'call' && earlier.type === 'call'
}

function addModelMoves(moves: Move[], simulation: Simulation): void {
  if (simulation.active === 1 && simulation.made < simulation.calls.length)
    moves.push({
      name: 'model calls',
      next: emit(
        { ...simulation, made: simulation.made + 1 },
        { type: 'call', call: simulation.made, isCutOff: false },
      ),
    })
  else if (simulation.active !== null)
    moves.push({
      name: 'response ends',
      next: emit(
        { ...simulation, active: null },
        { type: 'done', response: simulation.active, isCancelled: false },
      ),
    })
  if (simulation.active === 1 && simulation.mayInterrupt)
    moves.push({ name: 'user interrupts', next: interrupt(simulation) })
  if (simulation.active === null && (simulation.mayHear || simulation.owesAnswer))
    moves.push({
      name: 'user speaks',
      next: create({
        ...simulation,
        mayHear: simulation.mayHear && simulation.owesAnswer,
        owesAnswer: false,
      }),
    })
}

/** Cuts off the call in progress. The model will answer the user who interrupted. */
function interrupt(simulation: Simulation): Simulation {
  const silenced = { ...simulation, mayInterrupt: false, owesAnswer: true, active: null }
  const cut: ProviderEvent[] =
    simulation.made < simulation.calls.length ? [{ type: 'call', call: simulation.made, isCutOff: true }] : []
  return [...cut, { type: 'done', response: 1, isCancelled: true } as const].reduce(emit, silenced)
}

function addCallMoves(moves: Move[], simulation: Simulation, at: number): void {
  const call = simulation.calls[at]
  if (call?.tool)
    for (const event of eventsOfPhase[call.tool.phase])
      moves.push({ name: `call ${at} ${event.type}`, next: applyCallEvent(simulation, at, event) })
  if (call === undefined || simulation.isEnded) return
  if (call.clientStep === 'heard') {
    const answered: SimulatedCall = { ...call, clientStep: 'answered', outputs: call.outputs + 1 }
    const next = send(withCall(simulation, at, answered), { type: 'output', call: at })
    moves.push({ name: `client sends output ${at}`, next })
  } else if (call.clientStep === 'answered') {
    const request = { type: 'create', isOurs: false, number: at } as const
    const asked = send(withCall(simulation, at, { ...call, clientStep: 'asked' }), request)
    moves.push({
      name: `client requests a response after ${at}`,
      next: step(asked, { type: 'clientRequest' }),
    })
  }
}

function addServiceMoves(moves: Move[], simulation: Simulation): void {
  if (simulation.sequencer.isBackingOff)
    moves.push({ name: 'retry', next: step(simulation, { type: 'retryDue' }) })
  addQuietMove(moves, simulation)
  if (simulation.mayEnd && !simulation.isEnded)
    moves.push({ name: 'session ends', next: endSession(simulation) })
}

/** Lets enough time pass without an event from the provider. */
function addQuietMove(moves: Move[], simulation: Simulation): void {
  const { deviation } = simulation
  const isQuiet = simulation.fromProvider.length + simulation.toProvider.length === 0 && !simulation.isEnded
  if (!isQuiet || (simulation.active !== null && !deviation.mayFallSilent)) return
  const awaited = awaitedOf(simulation.sequencer)
  if (awaited === null) return
  const lost: SequencerEvent = { type: awaited === 'request' ? 'requestLost' : 'responsesLost' }
  const next =
    simulation.active === null
      ? simulation
      : { ...simulation, deviation: { ...deviation, mayFallSilent: false } }
  moves.push({ name: lost.type, next: step(next, lost) })
}

/**
 * Keeps only the state that the service still acts on. The knowledge and possible moves of the other parties
 * no longer matter.
 */
function endSession(simulation: Simulation): Simulation {
  const ended: Simulation = {
    sequencer: simulation.sequencer,
    calls: simulation.calls.map(afterSessionEnd),
    toProvider: [],
    fromProvider: [],
    active: null,
    created: 0,
    made: 0,
    ourCreates: 0,
    mayInterrupt: false,
    mayHear: false,
    owesAnswer: false,
    mayEnd: false,
    isEnded: true,
    deviation: simulation.deviation,
  }
  return ended.calls.reduce<Simulation>(
    (next, call, at) =>
      call.tool?.phase === 'waiting' ? applyCallEvent(next, at, { type: 'channelGone' }) : next,
    ended,
  )
}

const afterSessionEnd = ({ kind, tool, outputs }: SimulatedCall): SimulatedCall => ({
  kind,
  tool,
  outputs,
  isStored: false,
  isRead: false,
  clientStep: 'unheard',
})

/** Applies an event from the provider to the session. */
function receive(simulation: Simulation, event: ProviderEvent): Simulation {
  switch (event.type) {
    case 'created':
      return step(simulation, {
        type: 'responseCreated',
        responseId: String(event.response),
        isOutOfBand: false,
      })
    case 'done':
      return step(noteResponse(simulation, event.response), {
        type: 'responseDone',
        responseId: String(event.response),
        isCancelled: event.isCancelled,
      })
    case 'echo':
      return step(simulation, { type: 'outputEchoed', callId: String(event.call) })
    case 'refused':
      return receiveRefusal(simulation, event)
    case 'call':
      return receiveCall(noteResponse(simulation, 1), event.call, event.isCutOff)
  }
}

const noteResponse = (simulation: Simulation, response: number) =>
  step(simulation, { type: 'responseSeen', responseId: String(response) })

/**
 * A rejection of a request by the service names that request. A rejection of an older request does not apply
 * to the latest one.
 */
function receiveRefusal(
  simulation: Simulation,
  { isOurs, number }: Extract<ProviderEvent, { type: 'refused' }>,
): Simulation {
  if (!isOurs) return step(simulation, { type: 'requestRefused', isOurs })
  const isAttemptRunning = number === simulation.ourCreates && ownRequestOf(simulation.sequencer) !== null
  return isAttemptRunning ? step(simulation, { type: 'requestRefused', isOurs }) : simulation
}

function receiveCall(simulation: Simulation, at: number, isCutOff: boolean): Simulation {
  const call = simulation.calls[at]
  if (call?.kind === 'client') {
    const heard = step(simulation, { type: 'clientCall', responseId: '1' })
    return isCutOff
      ? step(heard, { type: 'clientCallCutOff', responseId: '1' })
      : withCall(heard, at, { ...call, clientStep: 'heard' })
  }
  const claimed = step(simulation, { type: 'backendCall', responseId: '1', callId: String(at) })
  return applyCallStep(claimed, at, beginCall(call?.kind === 'approval', isCutOff))
}

function applyCallEvent(simulation: Simulation, at: number, event: ToolCallEvent): Simulation {
  const tool = simulation.calls[at]?.tool
  return tool ? applyCallStep(simulation, at, stepCall(tool, event)) : simulation
}

function applyCallStep(simulation: Simulation, at: number, { state, answers }: MemoizedStep): Simulation {
  const call = simulation.calls[at]
  if (call === undefined) return simulation
  let next = withCall(simulation, at, { ...call, tool: state, outputs: call.outputs + answers })
  for (let answer = 0; answer < answers; answer += 1) {
    if (!next.isEnded) next = send(next, { type: 'output', call: at })
    next = step(next, { type: 'outputPosted', callId: String(at) })
  }
  return next
}

function step(simulation: Simulation, event: SequencerEvent): Simulation {
  const { state, mustRequest } = stepMemoized(simulation.sequencer, event)
  const number = simulation.ourCreates + 1
  if (mustRequest && !simulation.isEnded)
    return send(
      { ...simulation, sequencer: state, ourCreates: number },
      { type: 'create', isOurs: true, number },
    )
  return state === simulation.sequencer ? simulation : { ...simulation, sequencer: state }
}

/** Applies a request to the provider. */
function handleRequest(simulation: Simulation, request: Request): Simulation {
  if (request.type === 'output') {
    // Only the client tracks whether a response has read its outputs, so they are not tracked here.
    const call = simulation.calls[request.call]
    const isKept = call !== undefined && call.kind !== 'client'
    const stored = isKept ? withCall(simulation, request.call, { ...call, isStored: true }) : simulation
    return emit(stored, { type: 'echo', call: request.call })
  }
  const { isOurs, number } = request
  return simulation.active === null
    ? create(simulation)
    : emit(simulation, { type: 'refused', isOurs, number })
}

/** Starts a response, which reads every output in the conversation. */
function create(simulation: Simulation): Simulation {
  const response = simulation.created + 1
  const calls = simulation.calls.map((call) => (call.isStored ? { ...call, isRead: true } : call))
  return emit({ ...simulation, calls, active: response, created: response }, { type: 'created', response })
}
