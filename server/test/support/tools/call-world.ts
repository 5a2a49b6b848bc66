import {
  hasOwnRequest,
  idleSequencer,
  type SequencerEvent,
  type SequencerState,
  stepSequencer,
} from '#server/domain/realtime/calls/response-sequencer.js'
import {
  beginToolCall,
  stepToolCall,
  type ToolCallEvent,
  type ToolCallState,
  type ToolCallStep,
} from '#server/domain/tools/calls/tool-call.js'
import { anEffectiveTool } from './a-tool.js'

/** It waits for its record: what changes nothing does less of the same. */
const work = { tool: anEffectiveTool, arguments: {} }
const approval = { id: 'approval', deadline: '2030-01-01T00:00:00.000Z' }

/** Who runs a call, and whether a person is asked first. */
export type CallKind = 'plain' | 'approval' | 'client'

/** What is on its way to the provider, in order. */
type Request =
  | { readonly type: 'output'; readonly call: number }
  | { readonly type: 'create'; readonly isOurs: boolean }

/** What is on its way from the provider, in order. */
type News =
  | { readonly type: 'created'; readonly response: number }
  | { readonly type: 'done'; readonly response: number; readonly isCancelled: boolean }
  | { readonly type: 'call'; readonly call: number; readonly isCutOff: boolean }
  | { readonly type: 'item' }
  | { readonly type: 'echo'; readonly call: number }
  | { readonly type: 'refused'; readonly isOurs: boolean }

interface WorldCall {
  readonly kind: CallKind
  /** Null until the service has heard of it. */
  readonly tool: ToolCallState | null
  /** How often an output was sent for it. */
  readonly outputs: number
  /** Whether the provider has it, and whether a response has read it. */
  readonly isStored: boolean
  readonly isRead: boolean
  readonly clientStep: 'unheard' | 'heard' | 'answered' | 'asked'
}

/** The session's machines, the provider, the client and the wires between them. */
export interface World {
  readonly sequencer: SequencerState
  readonly calls: readonly WorldCall[]
  readonly toProvider: readonly Request[]
  readonly fromProvider: readonly News[]
  /** The response that speaks; 1 is the one that makes the calls. */
  readonly active: number | null
  readonly created: number
  /** How many of the calls the model has made. */
  readonly made: number
  readonly ourCreates: number
  /** Things that may still happen by themselves. */
  readonly mayInterrupt: boolean
  readonly mayHear: boolean
  readonly owesAnswer: boolean
  readonly mayEnd: boolean
  readonly isEnded: boolean
  readonly doesEcho: boolean
}

export interface Move {
  readonly name: string
  readonly next: World
}

export function beginWorld(kinds: readonly CallKind[]): World {
  return {
    sequencer: idleSequencer,
    calls: kinds.map((kind) => ({
      kind,
      tool: null,
      outputs: 0,
      isStored: false,
      isRead: false,
      clientStep: 'unheard',
    })),
    toProvider: [],
    fromProvider: [{ type: 'created', response: 1 }, { type: 'item' }],
    active: 1,
    created: 1,
    made: 0,
    ourCreates: 0,
    mayInterrupt: true,
    // With three calls there are states enough: then a user is heard after an interruption alone.
    mayHear: kinds.length < 3,
    owesAnswer: false,
    mayEnd: true,
    isEnded: false,
    doesEcho: true,
  }
}

/**
 * With a provider that tells nothing of items, nobody can know whether a response that the user caused has read an
 * output; so here the user says nothing.
 */
export function beginSilentWorld(kinds: readonly CallKind[]): World {
  const [created] = beginWorld(kinds).fromProvider
  return {
    ...beginWorld(kinds),
    fromProvider: created ? [created] : [],
    mayInterrupt: false,
    mayHear: false,
    doesEcho: false,
  }
}

/** The same text for the same state, and short: there are hundreds of thousands of them. */
export function keyOf({ sequencer, calls, toProvider, fromProvider, ...rest }: World): string {
  const batches = sequencer.batches.map((batch) =>
    [
      batch.isDone,
      batch.isCutOff,
      batch.openCalls,
      batch.posted,
      batch.echoed,
      batch.clientCalls,
      batch.hasClientRequested,
    ]
      .map(mark)
      .join(),
  )
  return [
    ...batches,
    ...[
      sequencer.activeResponses,
      sequencer.requests
        .map(({ isOurs, unechoedBefore }) => `${mark(isOurs)}${unechoedBefore.join('')}`)
        .join('/'),
      sequencer.isBackingOff,
      sequencer.refusals,
      sequencer.doesEcho,
    ].map(mark),
    ...calls.map(({ tool, outputs, isStored, isRead, clientStep }) =>
      [tool?.phase ?? '', outputs, mark(isStored), mark(isRead), clientStep].join(),
    ),
    ...[...toProvider, '|', ...fromProvider].map((sent) =>
      typeof sent === 'string' ? sent : Object.values(sent).map(mark).join(),
    ),
    ...Object.values(rest).map(mark),
  ].join(';')
}

const mark = (value: unknown) => (typeof value === 'boolean' ? Number(value) : String(value))

/** Everything that can happen next. */
export function movesOf(world: World): Move[] {
  return [
    ...wireMoves(world),
    ...modelMoves(world),
    ...world.calls.flatMap((_, call) => callMoves(world, call)),
    ...serviceMoves(world),
  ]
}

/** Nothing is left that must happen: no wire holds anything, nobody speaks, every call is over. */
export function isAtRest(world: World): boolean {
  return (
    world.toProvider.length === 0 &&
    world.fromProvider.length === 0 &&
    world.active === null &&
    !world.owesAnswer &&
    !world.sequencer.isBackingOff &&
    world.calls.every(isOver)
  )
}

function isOver({ kind, tool, clientStep }: WorldCall): boolean {
  if (kind === 'client') return clientStep === 'asked' || clientStep === 'unheard'
  return tool === null || tool.phase === 'done' || tool.phase === 'released'
}

function wireMoves(world: World): Move[] {
  const [news, ...laterNews] = world.fromProvider
  const [request, ...laterRequests] = world.toProvider
  return [
    ...(news ? [{ name: `hear ${news.type}`, next: hear({ ...world, fromProvider: laterNews }, news) }] : []),
    ...(request
      ? [
          {
            name: `provider takes ${request.type}`,
            next: take({ ...world, toProvider: laterRequests }, request),
          },
        ]
      : []),
  ]
}

function modelMoves(world: World): Move[] {
  const moves: Move[] = []
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
  return moves
}

/** The call that was being made is cut off, and whoever interrupted will be answered. */
function interrupt(world: World): World {
  const silenced = { ...world, mayInterrupt: false, owesAnswer: true, active: null }
  const cut: News[] =
    world.made < world.calls.length ? [{ type: 'call', call: world.made, isCutOff: true }] : []
  return [...cut, { type: 'done', response: 1, isCancelled: true } as const].reduce(say, silenced)
}

function callMoves(world: World, at: number): Move[] {
  const call = world.calls[at]
  if (!call || (world.isEnded && call.kind === 'client')) return []
  if (call.kind === 'client') return clientMoves(world, at, call)
  return toolEvents(call.tool).map((event) => ({
    name: `call ${at} ${event.type}`,
    next: drive(world, at, event),
  }))
}

function clientMoves(world: World, at: number, call: WorldCall): Move[] {
  if (call.clientStep === 'heard')
    return [
      {
        name: `client answers ${at}`,
        next: send(withCall(world, at, { clientStep: 'answered', outputs: call.outputs + 1 }), {
          type: 'output',
          call: at,
        }),
      },
    ]
  if (call.clientStep !== 'answered') return []
  const asked = send(withCall(world, at, { clientStep: 'asked' }), { type: 'create', isOurs: false })
  return [{ name: `client asks ${at}`, next: step(asked, { type: 'clientRequest' }) }]
}

function toolEvents(tool: ToolCallState | null): ToolCallEvent[] {
  const outcome = { ok: true, output: '' }
  switch (tool?.phase) {
    case 'storing':
      return [{ type: 'stored' }, { type: 'storeFailed' }, { type: 'withdrawn' }]
    case 'recording':
      return [{ type: 'recorded' }, { type: 'recordFailed' }]
    case 'waiting':
      return [
        { type: 'approved' },
        { type: 'rejected', reason: null },
        { type: 'expired' },
        { type: 'takenOver', outcome },
      ]
    case 'claiming':
      return [{ type: 'claimed' }, { type: 'takenOver', outcome }]
    case 'queued':
      return [{ type: 'slot' }]
    case 'running':
      return [{ type: 'result', outcome, executionTimeSeconds: 0 }]
    default:
      return []
  }
}

function serviceMoves(world: World): Move[] {
  const moves: Move[] = []
  if (world.sequencer.isBackingOff) moves.push({ name: 'retry', next: step(world, { type: 'retryDue' }) })
  if (world.mayEnd && !world.isEnded) moves.push({ name: 'session ends', next: endSession(world) })
  return moves
}

function endSession(world: World): World {
  const ended: World = {
    ...world,
    isEnded: true,
    mayEnd: false,
    toProvider: [],
    fromProvider: [],
    active: null,
    owesAnswer: false,
    mayHear: false,
  }
  return ended.calls.reduce<World>(
    (next, call, at) => (call.tool?.phase === 'waiting' ? drive(next, at, { type: 'channelGone' }) : next),
    ended,
  )
}

/** What the session does with what it hears. */
function hear(world: World, news: News): World {
  switch (news.type) {
    case 'created':
      return step(world, { type: 'responseCreated', responseId: String(news.response), isOutOfBand: false })
    case 'done':
      return step(world, {
        type: 'responseDone',
        responseId: String(news.response),
        isCancelled: news.isCancelled,
      })
    case 'item':
      return step(world, { type: 'itemEchoed' })
    case 'echo':
      return step(world, { type: 'outputEchoed', callId: String(news.call) })
    case 'refused':
      return step(world, { type: 'requestRefused', isOurs: news.isOurs && hasOwnRequest(world.sequencer) })
    case 'call':
      return hearCall(world, news.call, news.isCutOff)
  }
}

function hearCall(world: World, at: number, isCutOff: boolean): World {
  const kind = world.calls[at]?.kind
  if (kind === 'client') {
    const heard = step(world, { type: 'clientCall', responseId: '1' })
    return isCutOff
      ? step(heard, { type: 'clientCallCutOff', responseId: '1' })
      : withCall(heard, at, { clientStep: 'heard' })
  }
  const claimed = step(world, { type: 'backendCall', responseId: '1', callId: String(at) })
  const checked = isCutOff ? ({ ok: false, problem: 'interrupted' } as const) : ({ ok: true, work } as const)
  return perform(claimed, at, beginToolCall(checked, kind === 'approval' ? approval : null))
}

function drive(world: World, at: number, event: ToolCallEvent): World {
  const tool = world.calls[at]?.tool
  return tool ? perform(world, at, stepToolCall(tool, event)) : world
}

function perform(world: World, at: number, { state, effects }: ToolCallStep): World {
  // What the output says makes no difference to anybody's order, and would only multiply the states.
  let next = withCall(world, at, {
    tool: state.phase === 'done' ? { ...state, status: 1, output: '' } : state,
  })
  for (const { effect } of effects) {
    if (effect !== 'answer') continue
    next = withCall(next, at, { outputs: (next.calls[at]?.outputs ?? 0) + 1 })
    if (!next.isEnded) next = send(next, { type: 'output', call: at })
    next = step(next, { type: 'outputPosted', callId: String(at) })
  }
  return next
}

function step(world: World, event: SequencerEvent): World {
  const { state, mustRequest } = stepSequencer(world.sequencer, event)
  const next = { ...world, sequencer: state }
  return mustRequest && !world.isEnded
    ? send({ ...next, ourCreates: next.ourCreates + 1 }, { type: 'create', isOurs: true })
    : next
}

/** What the provider does with what it is sent. */
function take(world: World, request: Request): World {
  if (request.type === 'output') {
    const stored = withCall(world, request.call, { isStored: true })
    return world.doesEcho ? say(stored, { type: 'echo', call: request.call }) : stored
  }
  return world.active === null ? create(world) : say(world, { type: 'refused', isOurs: request.isOurs })
}

/** A response reads every output that the conversation holds. */
function create(world: World): World {
  const response = world.created + 1
  const calls = world.calls.map((call) => (call.isStored ? { ...call, isRead: true } : call))
  return say({ ...world, calls, active: response, created: response }, { type: 'created', response })
}

const say = (world: World, news: News): World => ({ ...world, fromProvider: [...world.fromProvider, news] })

const send = (world: World, request: Request): World => ({
  ...world,
  toProvider: [...world.toProvider, request],
})

function withCall(world: World, at: number, change: Partial<WorldCall>): World {
  return { ...world, calls: world.calls.map((call, index) => (index === at ? { ...call, ...change } : call)) }
}
