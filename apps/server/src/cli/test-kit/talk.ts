import type { Rehearsal } from '@parley/contract'
import type { Parley } from '@parley/sdk'
import type { Exchange } from './exchange.js'

/** One conversation with the agent under test, on one channel. */
export interface Talk {
  /** Says something, and resolves when it is answered, a person is waited for, or the next line is due. */
  say(line: Line): Promise<Exchange>
  /** Decides on everything that waits, and resolves as above. */
  decide(decision: Decision): Promise<Exchange>
  /** Leaves, and removes what is left of it. Never fails. */
  close(): Promise<void>
}

export interface Line {
  readonly words: string
  /** Whether it is said into the answer before. */
  readonly breaksIn: boolean
  /** How long the answer is listened to before somebody breaks in; null: to its end. */
  readonly listenMs: number | null
}

export interface Decision {
  readonly decision: 'approve' | 'reject'
  readonly reason: string | null
}

/** What every conversation of a run is held with. */
export interface TalkOptions {
  readonly parley: Parley
  readonly agentId: string
  readonly stubs: Rehearsal['tools']
  /** Ends what goes on: the time is up, or the whole command is. */
  readonly signal: AbortSignal
}

/** The agent, the service or its provider was not able to go on: the run cannot tell anything. */
export class BrokenRun extends Error {
  override readonly name = 'BrokenRun'
}
