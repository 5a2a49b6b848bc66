import {
  awaitedOf,
  ownRequestOf,
  type SequencerEvent,
} from '#server/domain/realtime/calls/sequencer-state.js'
import type { ToolCallEvent } from '#server/domain/tools/calls/tool-call.js'
import { type News, type Request, say, send, type World, type WorldCall, withCall } from './call-world.js'
import { stepRemembered } from './remembered-sequencer.js'
import { beginCall, eventsOfPhase, type RememberedStep, stepCall } from './remembered-tool-call.js'

export interface Move {
  readonly name: string
  readonly next: World
}

/**
 * Returns every possible next move. This runs hundreds of thousands of times, so all functions add to one
 * list.
 */
export function movesOf(world: World): Move[] {
  const moves: Move[] = []
  addNewsMoves(moves, world)
  addRequestMove(moves, world)
  addModelMoves(moves, world)
  for (let at = 0; at < world.calls.length; at += 1) addCallMoves(moves, world, at)
  addServiceMoves(moves, world)
  return moves
}

/**
 * Returns whether nothing is pending: no message is in transit, no response is active, and every call is
 * finished.
 */
export function isAtRest(world: World): boolean {
  return (
    world.toProvider.length === 0 &&
    world.fromProvider.length === 0 &&
    world.active === null &&
    !world.owesAnswer &&
    !world.sequencer.isBackingOff &&
    awaitedOf(world.sequencer) === null &&
    world.calls.every(isOver)
  )
}

function isOver({ kind, tool, clientStep }: WorldCall): boolean {
  if (kind === 'client') return clientStep === 'asked' || clientStep === 'unheard'
  return tool === null || tool.phase === 'done' || tool.phase === 'released'
}

/** Adds the events that the session may receive next: the oldest one, or one that may overtake it. */
function addNewsMoves(moves: Move[], world: World): void {
  const { fromProvider, habit } = world
  const reach = habit.reorders ? fromProvider.length : 1
  for (let at = 0; at < reach; at += 1) {
    const news = fromProvider[at]
    if (news === undefined || (at > 0 && !mayComeFirst(fromProvider, at))) continue
    const next = { ...world, fromProvider: fromProvider.toSpliced(at, 1) }
    moves.push({ name: `hear ${news.type}`, next: hear(next, news) })
  }
}

function addRequestMove(moves: Move[], world: World): void {
  const [request, ...laterRequests] = world.toProvider
  if (!request) return
  const next = take({ ...world, toProvider: laterRequests }, request)
  moves.push({ name: `provider takes ${request.type}`, next })
}

const mayComeFirst = (said: readonly News[], at: number) =>
  said.every((earlier, place) => place >= at || mayOvertake(said[at] ?? earlier, earlier))

/**
 * Returns whether the protocol leaves the order of two events open. The start, the calls and the end of a
 * response are ordered, and the next response follows. An item that is echoed before a response starts is
 * part of its input. An echo may therefore be late, but not early. Rejections and echoes answer requests of
 * the service, so their order among other events is open.
 */
function mayOvertake(later: News, earlier: News): boolean {
  if (later.type === 'refused' || earlier.type === 'refused') return true
  if (later.type === 'echo') return earlier.type !== 'created'
  if (earlier.type === 'echo') return true
  return later.type === 'call' && earlier.type === 'call'
}

function addModelMoves(moves: Move[], world: World): void {
  if (world.active === 1 && world.made < world.calls.length)
    moves.push({
      name: 'model calls',
      next: say({ ...world, made: world.made + 1 }, { type: 'call', call: world.made, isCutOff: false }),
    })
  else if (world.active !== null)
    moves.push({
      name: 'response ends',
      next: say({ ...world, active: null }, { type: 'done', response: world.active, isCancelled: false }),
    })
  if (world.active === 1 && world.mayInterrupt)
    moves.push({ name: 'user interrupts', next: interrupt(world) })
  if (world.active === null && (world.mayHear || world.owesAnswer))
    moves.push({
      name: 'user spoke',
      next: create({ ...world, mayHear: world.mayHear && world.owesAnswer, owesAnswer: false }),
    })
}

/** Cuts off the call in progress. The model will answer the user who interrupted. */
function interrupt(world: World): World {
  const silenced = { ...world, mayInterrupt: false, owesAnswer: true, active: null }
  const cut: News[] =
    world.made < world.calls.length ? [{ type: 'call', call: world.made, isCutOff: true }] : []
  return [...cut, { type: 'done', response: 1, isCancelled: true } as const].reduce(say, silenced)
}

function addCallMoves(moves: Move[], world: World, at: number): void {
  const call = world.calls[at]
  if (call?.tool)
    for (const event of eventsOfPhase[call.tool.phase])
      moves.push({ name: `call ${at} ${event.type}`, next: drive(world, at, event) })
  if (call === undefined || world.isEnded) return
  if (call.clientStep === 'heard') {
    const answered: WorldCall = { ...call, clientStep: 'answered', outputs: call.outputs + 1 }
    const next = send(withCall(world, at, answered), { type: 'output', call: at })
    moves.push({ name: `client answers ${at}`, next })
  } else if (call.clientStep === 'answered') {
    const request = { type: 'create', isOurs: false, number: at } as const
    const asked = send(withCall(world, at, { ...call, clientStep: 'asked' }), request)
    moves.push({ name: `client asks ${at}`, next: step(asked, { type: 'clientRequest' }) })
  }
}

function addServiceMoves(moves: Move[], world: World): void {
  if (world.sequencer.isBackingOff) moves.push({ name: 'retry', next: step(world, { type: 'retryDue' }) })
  addQuietMove(moves, world)
  if (world.mayEnd && !world.isEnded) moves.push({ name: 'session ends', next: endSession(world) })
}

/** Lets enough time pass without an event from the provider. */
function addQuietMove(moves: Move[], world: World): void {
  const { habit } = world
  const isQuiet = world.fromProvider.length + world.toProvider.length === 0 && !world.isEnded
  if (!isQuiet || (world.active !== null && !habit.mayFallSilent)) return
  const awaited = awaitedOf(world.sequencer)
  if (awaited === null) return
  const lost: SequencerEvent = { type: awaited === 'request' ? 'requestLost' : 'responsesLost' }
  const next = world.active === null ? world : { ...world, habit: { ...habit, mayFallSilent: false } }
  moves.push({ name: lost.type, next: step(next, lost) })
}

/**
 * Keeps only the state that the service still acts on. The knowledge and possible moves of the other parties
 * no longer matter.
 */
function endSession(world: World): World {
  const ended: World = {
    sequencer: world.sequencer,
    calls: world.calls.map(leftOf),
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
    habit: world.habit,
  }
  return ended.calls.reduce<World>(
    (next, call, at) => (call.tool?.phase === 'waiting' ? drive(next, at, { type: 'channelGone' }) : next),
    ended,
  )
}

const leftOf = ({ kind, tool, outputs }: WorldCall): WorldCall => ({
  kind,
  tool,
  outputs,
  isStored: false,
  isRead: false,
  clientStep: 'unheard',
})

/** Applies an event from the provider to the session. */
function hear(world: World, news: News): World {
  switch (news.type) {
    case 'created':
      return step(world, { type: 'responseCreated', responseId: String(news.response), isOutOfBand: false })
    case 'done':
      return step(see(world, news.response), {
        type: 'responseDone',
        responseId: String(news.response),
        isCancelled: news.isCancelled,
      })
    case 'echo':
      return step(world, { type: 'outputEchoed', callId: String(news.call) })
    case 'refused':
      return hearRefusal(world, news)
    case 'call':
      return hearCall(see(world, 1), news.call, news.isCutOff)
  }
}

const see = (world: World, response: number) =>
  step(world, { type: 'responseSeen', responseId: String(response) })

/**
 * A rejection of a request by the service names that request. A rejection of an older request does not apply
 * to the latest one.
 */
function hearRefusal(world: World, { isOurs, number }: Extract<News, { type: 'refused' }>): World {
  if (!isOurs) return step(world, { type: 'requestRefused', isOurs })
  const isUnderWay = number === world.ourCreates && ownRequestOf(world.sequencer) !== null
  return isUnderWay ? step(world, { type: 'requestRefused', isOurs }) : world
}

function hearCall(world: World, at: number, isCutOff: boolean): World {
  const call = world.calls[at]
  if (call?.kind === 'client') {
    const heard = step(world, { type: 'clientCall', responseId: '1' })
    return isCutOff
      ? step(heard, { type: 'clientCallCutOff', responseId: '1' })
      : withCall(heard, at, { ...call, clientStep: 'heard' })
  }
  const claimed = step(world, { type: 'backendCall', responseId: '1', callId: String(at) })
  return perform(claimed, at, beginCall(call?.kind === 'approval', isCutOff))
}

function drive(world: World, at: number, event: ToolCallEvent): World {
  const tool = world.calls[at]?.tool
  return tool ? perform(world, at, stepCall(tool, event)) : world
}

function perform(world: World, at: number, { state, answers }: RememberedStep): World {
  const call = world.calls[at]
  if (call === undefined) return world
  let next = withCall(world, at, { ...call, tool: state, outputs: call.outputs + answers })
  for (let answer = 0; answer < answers; answer += 1) {
    if (!next.isEnded) next = send(next, { type: 'output', call: at })
    next = step(next, { type: 'outputPosted', callId: String(at) })
  }
  return next
}

function step(world: World, event: SequencerEvent): World {
  const { state, mustRequest } = stepRemembered(world.sequencer, event)
  const number = world.ourCreates + 1
  if (mustRequest && !world.isEnded)
    return send({ ...world, sequencer: state, ourCreates: number }, { type: 'create', isOurs: true, number })
  return state === world.sequencer ? world : { ...world, sequencer: state }
}

/** Applies a request to the provider. */
function take(world: World, request: Request): World {
  if (request.type === 'output') {
    // Only the client tracks whether a response has read its outputs, so they are not tracked here.
    const call = world.calls[request.call]
    const isKept = call !== undefined && call.kind !== 'client'
    const stored = isKept ? withCall(world, request.call, { ...call, isStored: true }) : world
    return say(stored, { type: 'echo', call: request.call })
  }
  const { isOurs, number } = request
  return world.active === null ? create(world) : say(world, { type: 'refused', isOurs, number })
}

/** Starts a response, which reads every output in the conversation. */
function create(world: World): World {
  const response = world.created + 1
  const calls = world.calls.map((call) => (call.isStored ? { ...call, isRead: true } : call))
  return say({ ...world, calls, active: response, created: response }, { type: 'created', response })
}
