import { idleSequencer, type SequencerState } from '#server/domain/realtime/calls/sequencer-state.js'
import type { ToolCallState } from '#server/domain/tools/calls/tool-call.js'

/** Who runs a call, and whether a person is asked first. */
export type CallKind = 'plain' | 'approval' | 'client'

/** What is on its way to the provider, in order. */
export type Request =
  | { readonly type: 'output'; readonly call: number }
  | { readonly type: 'create'; readonly isOurs: boolean; readonly number: number }

/** What is on its way from the provider, in order. */
export type News =
  | { readonly type: 'created'; readonly response: number }
  | { readonly type: 'done'; readonly response: number; readonly isCancelled: boolean }
  | { readonly type: 'call'; readonly call: number; readonly isCutOff: boolean }
  | { readonly type: 'echo'; readonly call: number }
  | { readonly type: 'refused'; readonly isOurs: boolean; readonly number: number }

/** What a provider leaves out, says twice, or says in another order. */
export interface Habit {
  readonly omits: News['type'] | null
  readonly doubles: News['type'] | null
  /** Once, the provider is quiet for long while it works: what it works at is taken for lost. */
  readonly mayFallSilent: boolean
  /** Its events come in any order that the protocol allows. */
  readonly reorders: boolean
}

const noHabit: Habit = { omits: null, doubles: null, mayFallSilent: false, reorders: false }

export interface WorldCall {
  readonly kind: CallKind
  /** Null until the service has heard of it. */
  readonly tool: ToolCallState | null
  /** How often an output was sent for it. */
  readonly outputs: number
  /** Whether the provider has the output of a backend's call, and whether a response has read it. */
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
    // With three calls there are states enough: then a user is heard after an interruption alone.
    mayHear: kinds.length < 3,
    owesAnswer: false,
    mayEnd: true,
    isEnded: false,
    habit: noHabit,
  }
}

/**
 * The same with a provider that has a habit. With one that does not echo outputs, nobody can know whether a response that
 * the user caused has read one; so there the user says nothing.
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

/** Two objects spread into one take three times as long as one, and there are millions of them: so the caller spreads. */
export function withCall(world: World, at: number, call: WorldCall): World {
  return { ...world, calls: world.calls.with(at, call) }
}
