import type { parties } from '@parley/contract'
import type { TurnEvent } from '@parley/sdk'
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
