import { idleSequencer, type SequencerState } from '#server/domain/realtime/calls/response-sequencer.js'
import type { ToolCallState } from '#server/domain/tools/calls/tool-call.js'

/** Who runs a call, and whether a person is asked first. */
export type CallKind = 'plain' | 'approval' | 'client'

/** What is on its way to the provider, in order. */
export type Request =
  | { readonly type: 'output'; readonly call: number }
  | { readonly type: 'create'; readonly isOurs: boolean }

/** What is on its way from the provider, in order. */
export type News =
  | { readonly type: 'created'; readonly response: number }
  | { readonly type: 'done'; readonly response: number; readonly isCancelled: boolean }
  | { readonly type: 'call'; readonly call: number; readonly isCutOff: boolean }
  | { readonly type: 'item' }
  | { readonly type: 'echo'; readonly call: number }
  | { readonly type: 'refused'; readonly isOurs: boolean }

export interface WorldCall {
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
