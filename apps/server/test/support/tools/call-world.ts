import { idleSequencer, type SequencerState } from '#server/domain/realtime/calls/sequencer-state.js'
import type { ToolCallState } from '#server/domain/tools/calls/tool-call.js'

/** Where a call runs, and whether it needs approval. */
export type CallKind = 'plain' | 'approval' | 'client'

/** A message in transit to the provider. */
export type Request =
  | { readonly type: 'output'; readonly call: number }
  | { readonly type: 'create'; readonly isOurs: boolean; readonly number: number }

/** A message in transit from the provider. */
export type News =
  | { readonly type: 'created'; readonly response: number }
  | { readonly type: 'done'; readonly response: number; readonly isCancelled: boolean }
  | { readonly type: 'call'; readonly call: number; readonly isCutOff: boolean }
  | { readonly type: 'echo'; readonly call: number }
  | { readonly type: 'refused'; readonly isOurs: boolean; readonly number: number }

/** How a provider deviates: which event it omits, sends twice, or reorders. */
export interface Habit {
  readonly omits: News['type'] | null
  readonly doubles: News['type'] | null
  /** The provider may fall silent once during a response, for so long that the response counts as lost. */
  readonly mayFallSilent: boolean
  /** Events arrive in any order that the protocol allows. */
  readonly reorders: boolean
}

const noHabit: Habit = { omits: null, doubles: null, mayFallSilent: false, reorders: false }

export interface WorldCall {
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
export interface World {
  readonly sequencer: SequencerState
  readonly calls: readonly WorldCall[]
  readonly toProvider: readonly Request[]
  readonly fromProvider: readonly News[]
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
  readonly habit: Habit
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
    habit: noHabit,
  }
}

/**
 * Begins with a provider that deviates. If the provider does not echo outputs, the service cannot know
 * whether a response that the user caused has read one. In that case the user stays silent.
 */
export function beginOddWorld(kinds: readonly CallKind[], habit: Partial<Habit>): World {
  const isHeard = habit.omits !== 'echo' && !habit.mayFallSilent
  const world = { ...beginWorld(kinds), habit: { ...noHabit, ...habit }, fromProvider: [] }
  return say(
    { ...world, mayInterrupt: isHeard, mayHear: isHeard && world.mayHear, mayEnd: false },
    { type: 'created', response: 1 },
  )
}

export function say(world: World, news: News): World {
  const { omits, doubles } = world.habit
  if (news.type === omits) return world
  const fromProvider = [...world.fromProvider, news]
  if (news.type === doubles) fromProvider.push(news)
  return { ...world, fromProvider }
}

export const send = (world: World, request: Request): World => ({
  ...world,
  toProvider: [...world.toProvider, request],
})

/**
 * Takes the whole call, so callers spread it themselves: spreading two objects into one here takes three
 * times as long, and there are millions of calls.
 */
export function withCall(world: World, at: number, call: WorldCall): World {
  return { ...world, calls: world.calls.with(at, call) }
}
