import type { parties, Rehearsal } from '@parley/contract'
import type { Parley, TurnEvent } from '@parley/sdk'
import type { CustomEvent } from '@parley/sdk/realtime'

/** A call of a tool, as whoever talks to the agent sees it. */
export interface SeenCall {
  readonly callId: string
  readonly tool: string
  /** As the model gave them, JSON text. */
  readonly argumentsText: string
  readonly status: 'running' | 'waiting' | 'success' | 'failed'
  /** Whether a person was asked. */
  readonly hasWaited: boolean
  /** What came of it; null while nothing has. */
  readonly text: string | null
}

/** What the agent did besides talking. */
export interface Deeds {
  readonly calls: readonly SeenCall[]
  /** The names of the sub-agents that were asked. */
  readonly subAgents: readonly string[]
}

export type Party = (typeof parties)[number]

/** What the user said, and all that came of it so far. */
export interface Exchange extends Deeds {
  readonly user: string
  /** What the agent under test said. */
  readonly words: string
  /** How long the first word, or sound, took; null while there is none. */
  readonly firstMs: number | null
  /** `broken-off` where the user speaks before the answer is over. */
  readonly state: 'answered' | 'waiting' | 'broken-off' | 'failed'
  /** Why there is no answer, or not all of it. */
  readonly failure: string | null
  readonly interrupted: Party
}

export const noDeeds: Deeds = { calls: [], subAgents: [] }

/** What an event of a turn or session tells of the agent's deeds. */
export function stepDeeds(deeds: Deeds, event: TurnEvent | CustomEvent): Deeds {
  switch (event.type) {
    case 'response.function_invocation.start': {
      const { callId, functionName, approvalRequired } = event.data
      const call: SeenCall = {
        callId,
        tool: functionName,
        argumentsText: event.data.arguments,
        status: approvalRequired ? 'waiting' : 'running',
        hasWaited: approvalRequired,
        text: null,
      }
      // A later session announces again what still waits.
      const others = deeds.calls.filter((known) => known.callId !== callId)
      return { ...deeds, calls: [...others, call] }
    }
    case 'approval.approved':
      return editCall(deeds, event.data.callId, { status: 'running' })
    case 'response.function_invocation.done': {
      const { callId, status, text } = event.data
      return editCall(deeds, callId, { status: status === 1 ? 'success' : 'failed', text })
    }
    case 'subagent.start':
      return { ...deeds, subAgents: [...deeds.subAgents, event.data.name] }
    default:
      return deeds
  }
}

function editCall(deeds: Deeds, callId: string, fields: Partial<SeenCall>): Deeds {
  return {
    ...deeds,
    calls: deeds.calls.map((call) => (call.callId === callId ? { ...call, ...fields } : call)),
  }
}

/** Whether there is nothing to wait for but a person. */
export function waitsForPerson({ calls }: Deeds): boolean {
  return calls.some(({ status }) => status === 'waiting') && calls.every(({ status }) => status !== 'running')
}

/** What is decided on is a person's wait no more, whatever comes of it. */
export function decided(deeds: Deeds): Deeds {
  return {
    ...deeds,
    calls: deeds.calls.map((call) => (call.status === 'waiting' ? { ...call, status: 'running' } : call)),
  }
}

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

/** What was said and done, line by line, for whoever looks why a test failed. */
export type Transcript = readonly string[]

const maxTextCharacters = 1000

/** One exchange; `decision` is what a person said to what waited. */
export function describeExchange(exchange: Exchange, decision: string | null): Transcript {
  const { user, words, firstMs, calls, subAgents, failure, interrupted, state } = exchange
  const after = firstMs === null ? '' : ` (after ${Math.round(firstMs)} ms)`
  return [
    `user:   ${user}`,
    ...subAgents.map((name) => `asks:   ${name}`),
    ...calls.map((call) => `calls:  ${describeCall(call)}${resultOf(call)}`),
    ...(decision === null ? [] : [`person: ${decision}`]),
    ...(words === '' ? [] : [`agent:  ${cut(words)}${after}`]),
    ...(interrupted === 'nobody' ? [] : [`        (the ${interrupted} was interrupted)`]),
    ...(state === 'broken-off' ? ['        (the user breaks in)'] : []),
    ...(failure === null ? [] : [`failed: ${failure}`]),
  ]
}

export function describeCall({ tool, argumentsText, status }: SeenCall): string {
  return `${tool} ${argumentsText} (${status})`
}

function resultOf({ text }: SeenCall): string {
  return text === null || text === '' ? '' : ` → ${cut(text)}`
}

function cut(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ⏎ ')
  return line.length > maxTextCharacters ? `${line.slice(0, maxTextCharacters)}…` : line
}
