import type { ApprovalDecision, parties, QuestionAnswer, QuestionBody, Rehearsal } from '@parley/contract'
import type { TurnEvent } from '@parley/sdk'
import type { CustomEvent } from '@parley/sdk/realtime'

/** A tool call as its events describe it to the client. */
export interface SeenCall {
  readonly callId: string
  readonly tool: string
  /** The JSON text from the model. */
  readonly argumentsText: string
  readonly status: 'running' | 'waiting' | 'success' | 'failed'
  /** Whether a person was asked to decide. */
  readonly hasWaited: boolean
  /** The result, or null if there is none yet. */
  readonly text: string | null
}

/** The tool calls and sub-agent calls of the agent. */
export interface Actions {
  readonly calls: readonly SeenCall[]
  /** The names of the sub-agents that were asked. */
  readonly subAgents: readonly string[]
}

export type Party = (typeof parties)[number]

/** The user's line and its outcome so far. */
export interface Exchange extends Actions {
  readonly user: string
  /** The text of the agent under test. */
  readonly words: string
  /** The time to the first word or sound, or null if there is none yet. */
  readonly firstMs: number | null
  /** `interrupted` if the user speaks before the answer is complete. */
  readonly state: 'answered' | 'waiting' | 'interrupted' | 'failed'
  /** Why the answer is missing or incomplete. */
  readonly failure: string | null
  readonly interrupted: Party
}

export const noActions: Actions = { calls: [], subAgents: [] }

/** Applies an event of a turn or session to the agent's calls. */
export function applyEvent(actions: Actions, event: TurnEvent | CustomEvent): Actions {
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
      // A later session announces waiting calls again.
      const others = actions.calls.filter((known) => known.callId !== callId)
      return { ...actions, calls: [...others, call] }
    }
    case 'approval.approved':
      return editCall(actions, event.data.callId, { status: 'running' })
    case 'response.function_invocation.done': {
      const { callId, status, text } = event.data
      return editCall(actions, callId, { status: status === 1 ? 'success' : 'failed', text })
    }
    case 'subagent.start':
      return { ...actions, subAgents: [...actions.subAgents, event.data.name] }
    default:
      return actions
  }
}

function editCall(actions: Actions, callId: string, fields: Partial<SeenCall>): Actions {
  return {
    ...actions,
    calls: actions.calls.map((call) => (call.callId === callId ? { ...call, ...fields } : call)),
  }
}

/** Returns whether the only thing left to wait for is a person's decision. */
export function waitsForPerson({ calls }: Actions): boolean {
  return calls.some(({ status }) => status === 'waiting') && calls.every(({ status }) => status !== 'running')
}

/** Marks waiting calls as running after a decision, even if the decision has no effect. */
export function decided(actions: Actions): Actions {
  return {
    ...actions,
    calls: actions.calls.map((call) => (call.status === 'waiting' ? { ...call, status: 'running' } : call)),
  }
}

/** One conversation with the agent under test, in text or by voice. */
export interface Talk {
  /** Says a line. Resolves when the answer is complete, a person must decide, or the next line is due. */
  say(line: Line): Promise<Exchange>
  /** Decides on all waiting calls. Resolves like `say`. */
  decide(decision: Decision): Promise<Exchange>
  /** Leaves the conversation and deletes it. Never rejects. */
  close(): Promise<void>
}

export interface Line {
  readonly words: string
  /** Whether the line interrupts the previous answer. */
  readonly interrupts: boolean
  /** How long to listen before the next line interrupts the answer. Null means to the end. */
  readonly listenMs: number | null
}

export interface Decision {
  readonly decision: 'approve' | 'reject'
  readonly reason: string | null
}

/** The calls that a text conversation needs. The SDK's client has them, and the service itself. */
export interface TextService {
  readonly questions: {
    ask(agentId: string, body: QuestionBody, options: Abortable): Promise<TextAnswer>
    stream(agentId: string, body: QuestionBody, options: Abortable): AsyncIterable<TurnEvent>
    stopTurn(conversationId: string, turnId: string): Promise<unknown>
  }
  readonly approvals: {
    decide(conversationId: string, decision: ApprovalDecision, options: Abortable): Promise<unknown>
  }
  readonly conversations: { delete(conversationId: string): Promise<unknown> }
}

interface Abortable {
  readonly signal: AbortSignal
}

type TextAnswer = Pick<QuestionAnswer, 'answer' | 'failure' | 'conversationId'>

/** The options that all conversations of a run share. */
/** The end user, and the data and variables of the conversation. */
export type EndUserContext = Pick<QuestionBody, 'externalUserId' | 'metadata' | 'variables'>

export interface TalkOptions {
  readonly parley: TextService
  readonly agentId: string
  readonly stubs: Rehearsal['tools']
  readonly context: EndUserContext
  /** Aborts the conversation on a timeout or when the command is interrupted. */
  readonly signal: AbortSignal
}

/** The agent, the service or the provider failed, so the run has no verdict. */
export class BrokenRun extends Error {
  override readonly name = 'BrokenRun'
}

/** The conversation as lines of text, for people who look into a failed test. */
export type Transcript = readonly string[]

const maxTextCharacters = 1000

/** Describes one exchange. `decision` is the person's decision on the waiting calls. */
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
    ...(state === 'interrupted' ? ['        (the user interrupts)'] : []),
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
