import { idleSequencer, type SequencerState } from '#server/domain/realtime/calls/sequencer-state.js'
import type { ToolCallState } from '#server/domain/tools/calls/tool-call.js'

/** Where a call runs, and whether it needs approval. */
export type CallKind = 'plain' | 'approval' | 'client'

/** A message in transit to the provider. */
export type Request =
  | { readonly type: 'output'; readonly call: number }
  | { readonly type: 'create'; readonly isOurs: boolean; readonly number: number }

/** A message in transit from the provider. */
export type ProviderEvent =
  | { readonly type: 'created'; readonly response: number }
  | { readonly type: 'done'; readonly response: number; readonly isCancelled: boolean }
  | { readonly type: 'call'; readonly call: number; readonly isCutOff: boolean }
  | { readonly type: 'echo'; readonly call: number }
  | { readonly type: 'refused'; readonly isOurs: boolean; readonly number: number }

/** How a provider deviates: which event it omits, sends twice, or reorders. */
export interface Deviation {
  readonly omits: ProviderEvent['type'] | null
  readonly doubles: ProviderEvent['type'] | null
  /** The provider may fall silent once during a response, for so long that the response counts as lost. */
  readonly mayFallSilent: boolean
  /** Events arrive in any order that the protocol allows. */
  readonly reorders: boolean
}

const noHabit: Deviation = { omits: null, doubles: null, mayFallSilent: false, reorders: false }

export interface SimulatedCall {
  readonly kind: CallKind
  /** Null until the service has received the call. */
  readonly tool: ToolCallState | null
  /** How many outputs were sent for it. */
  readonly outputs: number
  /** Whether the provider has the output of a backend call, and whether a response has read it. */
  readonly isStored: boolean
  readonly isRead: boolean
  readonly clientStep: 'unheard' | 'heard' | 'answered' | 'asked'
}

/**
 * One state of the model that the tests explore: the session's state machines, the provider, the client, and
 * the messages in transit between them.
 */
export interface Simulation {
  readonly sequencer: SequencerState
  readonly calls: readonly SimulatedCall[]
  readonly toProvider: readonly Request[]
  readonly fromProvider: readonly ProviderEvent[]
  /** The active response. Number 1 is the response that makes the calls. */
  readonly active: number | null
  readonly created: number
  /** How many calls the model has made. */
  readonly made: number
  readonly ourCreates: number
  /** Spontaneous events that are still possible. */
  readonly mayInterrupt: boolean
  readonly mayHear: boolean
  readonly owesAnswer: boolean
  readonly mayEnd: boolean
  readonly isEnded: boolean
  readonly deviation: Deviation
}

export function startSimulation(kinds: readonly CallKind[]): Simulation {
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
    fromProvider: [{ type: 'created', response: 1 }],
    active: 1,
    created: 1,
    made: 0,
    ourCreates: 0,
    mayInterrupt: true,
    // Three calls already produce many states, so the user speaks only after an interruption.
    mayHear: kinds.length < 3,
    owesAnswer: false,
    mayEnd: true,
    isEnded: false,
    deviation: noHabit,
  }
}

/**
 * Begins with a provider that deviates. If the provider does not echo outputs, the service cannot know
 * whether a response that the user caused has read one. In that case the user stays silent.
 */
export function startWithDeviation(kinds: readonly CallKind[], deviation: Partial<Deviation>): Simulation {
  const isHeard = deviation.omits !== 'echo' && !deviation.mayFallSilent
  const simulation = { ...startSimulation(kinds), deviation: { ...noHabit, ...deviation }, fromProvider: [] }
  return emit(
    { ...simulation, mayInterrupt: isHeard, mayHear: isHeard && simulation.mayHear, mayEnd: false },
    { type: 'created', response: 1 },
  )
}

export function emit(simulation: Simulation, event: ProviderEvent): Simulation {
  const { omits, doubles } = simulation.deviation
  if (event.type === omits) return simulation
  const fromProvider = [...simulation.fromProvider, event]
  if (event.type === doubles) fromProvider.push(event)
  return { ...simulation, fromProvider }
}

export const send = (simulation: Simulation, request: Request): Simulation => ({
  ...simulation,
  toProvider: [...simulation.toProvider, request],
})

/**
 * Takes the whole call, so callers spread it themselves: spreading two objects into one here takes three
 * times as long, and there are millions of calls.
 */
export function withCall(simulation: Simulation, at: number, call: SimulatedCall): Simulation {
  return { ...simulation, calls: simulation.calls.with(at, call) }
}
