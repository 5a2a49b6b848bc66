import type { ApprovedBy } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import type { ApprovalRecord } from '../../../ports/approval-store.js'
import { type ArgumentChecker, maxArgumentsCharacters, omittedArguments } from '../../../ports/argument-checker.js'
import type { CallableTool } from '../../../ports/tool-executor.js'
import { RecentIds } from '../../recent-ids.js'
import { askedArguments } from '../approvals/waiting-approvals.js'
import { narrowed, undecidable } from '../approvals/approvals.js'
import { mayHaveEffect } from '../running/run-tool.js'
import { type CallContext, type MadeCall, startEvent } from './call-records.js'
import { type CallGroup, OpenCall, type OpenCallDependencies, RunSlots } from './open-call.js'
import { type AskedApproval, beginToolCall, type CheckedCall, resumeToolCall, type ToolCallState, unrecorded } from './tool-call.js'
import type { Database } from '../../../ports/database.js'
import type { Log } from '../../../ports/log.js'
import { canonicalJson } from '../../json-text.js'

/** How many calls of one session or turn run at a time. */
const maxRunning = 8

export interface ToolCallsDependencies extends OpenCallDependencies {
  readonly argumentChecker: ArgumentChecker
  readonly approvalTimeoutSeconds: number
  readonly isRepetition: RepetitionCheck
}

/** A call whose arguments were checked, and who is to decide on it; null: it needs no approval. */
interface JudgedCall {
  readonly checked: CheckedCall
  readonly approvedBy: ApprovedBy | null
  /** The text that is stored and shown: the one that runs, or the model's own if the call is refused. */
  readonly argumentsText?: string
}

/** A call as the model made it. */
type BegunCall = Omit<MadeCall, 'agentId' | 'messageId'>

/** The calls of one session or turn, each beside the others and none in the way of the relay. */
export class ToolCalls {
  readonly #dependencies: ToolCallsDependencies
  readonly #context: CallContext
  readonly #group: CallGroup
  /** Those that have no output yet. */
  readonly #calls = new Map<string, OpenCall>()
  /** Of the others nothing is kept but that they were: what a call holds may be large, and a session lasts long. */
  readonly #finished = new RecentIds()
  /** Calls whose arguments are being checked, with the output that each will have. */
  readonly #checking = new Map<string, Promise<string>>()
  #lastCheck: Promise<unknown> = Promise.resolve()
  readonly #stopping = new AbortController()
  readonly #left = new AbortController()

  constructor(dependencies: ToolCallsDependencies, context: CallContext) {
    this.#dependencies = dependencies
    this.#context = context
    const slots = new RunSlots(maxRunning)
    this.#group = { context, slots, stopping: this.#stopping.signal, left: this.#left.signal }
  }

  /** Whether a call has no answer yet. */
  get hasOpenCall(): boolean {
    return this.#checking.size > 0 || [...this.#calls.values()].some(({ isOpen }) => isOpen)
  }

  /** Whether a call waits for a person. */
  get hasWaitingCall(): boolean {
    return [...this.#calls.values()].some(({ isWaiting }) => isWaiting)
  }

  /** Whether nothing goes on but waiting for people. */
  get isOnlyWaiting(): boolean {
    const open = [...this.#calls.values()].filter(({ isOpen }) => isOpen)
    return this.#checking.size === 0 && open.length > 0 && open.every(({ isWaiting }) => isWaiting)
  }

  knows(callId: string): boolean {
    return this.#calls.has(callId) || this.#checking.has(callId) || this.#finished.has(callId)
  }

  /** This id, or one like it: some models begin to count anew with every step. */
  freshId(callId: string): string {
    for (let count = 1; ; count += 1) {
      const id = count === 1 ? callId : `${callId}-${count}`
      if (!this.knows(id)) return id
    }
  }

  /** Takes a call, once however often it is announced, and resolves with its one output. Never rejects. */
  call(callId: string, functionName: string, argumentsText: string): Promise<string> {
    const known = this.#checking.get(callId) ?? this.#calls.get(callId)?.output
    if (known !== undefined) return known
    const tool = this.#toolNamed(functionName)
    const made = { callId, functionName, argumentsText, tool }
    const output = this.#inOrder(() => this.#judge(made)).then((judged) => {
      this.#checking.delete(callId)
      return this.#begin(made, judged)
    })
    this.#checking.set(callId, output)
    return output
  }

  /** A call that was cut off before its arguments were complete: it is answered, and never run. */
  interrupted(callId: string, functionName: string, argumentsText: string): Promise<string> {
    const problem = 'The call was interrupted before it was complete. It was not run.'
    const tool = this.#toolNamed(functionName)
    const made = { callId, functionName, argumentsText, tool }
    return this.#checking.get(callId) ?? this.#begin(made, refused(problem))
  }

  /** Goes on with what a former session left. What runs is what the row says: what a person saw. */
  adopt(row: ApprovalRecord): Promise<string> {
    const { callId, messageId, agentId, call: tool, tool: functionName, arguments: argumentsText } = row
    const made = { callId, messageId, agentId, functionName, argumentsText, tool }
    const work = { tool, arguments: askedArguments(row) }
    const step = resumeToolCall(work, row, row.state !== 'waiting')
    const call = this.#add(made, step.state)
    this.#context.emit(startEvent(made, true))
    call.apply(step)
    return call.output
  }

  /** Nobody listens any more. What runs goes on and is written down; what waits for a person is released. */
  leave(): void {
    if (this.#left.signal.aborted) return
    this.#left.abort()
    for (const call of this.#calls.values()) call.leave()
  }

  /** The same; and where nobody could ever read what comes of it, nothing goes on. */
  end(): void {
    this.leave()
    if (!this.#context.canBeResumed) this.#stopping.abort()
  }

  /** Settles when nothing runs any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#checking.values())
    await Promise.all([...this.#calls.values()].map(({ isOpen, output }) => isOpen && output))
  }

  /** One after the other, so that calls stand in the order in which the model made them. */
  #inOrder<Value>(check: () => Promise<Value>): Promise<Value> {
    const checked = this.#lastCheck.then(check)
    this.#lastCheck = checked
    return checked
  }

  async #judge({ functionName, argumentsText, tool }: BegunCall): Promise<JudgedCall> {
    if (tool === null) return refused(`There is no tool ${functionName}.`)
    const { argumentChecker, isRepetition } = this.#dependencies
    const { organizationId, conversationId } = this.#context.caller
    const given = { organizationId, schema: tool.parameters, argumentsText }
    const checked = await argumentChecker.check(given)
    if (!checked.ok) return refused(checked.problem)
    const call = { organizationId, conversationId, functionName, argumentsText: checked.text }
    const mayRepeat = !tool.approvalRequired && mayHaveEffect(tool.action)
    const isRepeated = mayRepeat && (await isRepetition(call))
    if (isRepeated === null) return refused(unrecorded)
    const work = { tool, arguments: checked.arguments }
    const judged = { checked: { ok: true, work }, argumentsText: checked.text } as const
    if (!tool.approvalRequired && !isRepeated) return { ...judged, approvedBy: null }
    const approvedBy = narrowed(tool.approvedBy ?? 'either', this.#context.approvedBy)
    return approvedBy === null ? refused(undecidable) : { ...judged, approvedBy }
  }

  #toolNamed(functionName: string): CallableTool | null {
    return this.#context.tools.find(({ name }) => name === functionName) ?? null
  }

  #begin(made: BegunCall, { checked, approvedBy, argumentsText }: JudgedCall): Promise<string> {
    const known = this.#calls.get(made.callId)
    if (known) return known.output
    const step = beginToolCall(checked, approvedBy === null ? null : this.#askedApproval(approvedBy))
    const { agentId } = this.#context.caller
    const stored = argumentsText ?? withinLimit(made.argumentsText)
    const call = this.#add({ ...made, argumentsText: stored, agentId, messageId: uuid() }, step.state)
    call.apply(step)
    return call.output
  }

  #add(call: MadeCall, state: ToolCallState): OpenCall {
    const opened = new OpenCall(this.#dependencies, this.#group, { call, state })
    this.#calls.set(call.callId, opened)
    void opened.output.then(() => {
      this.#calls.delete(call.callId)
      this.#finished.add(call.callId)
    })
    return opened
  }

  #askedApproval(approvedBy: ApprovedBy): AskedApproval {
    const { clock, approvalTimeoutSeconds } = this.#dependencies
    const deadline = new Date(clock.now().getTime() + approvalTimeoutSeconds * 1000)
    return { id: uuid(), deadline: deadline.toISOString(), approvedBy }
  }
}

function withinLimit(argumentsText: string): string {
  return argumentsText.length > maxArgumentsCharacters ? omittedArguments : argumentsText
}

function refused(problem: string): JudgedCall {
  return { checked: { ok: false, problem }, approvedBy: null }
}

interface CallInConversation {
  readonly organizationId: string
  readonly conversationId: string
  readonly functionName: string
  readonly argumentsText: string
}

/**
 * Whether a call repeats one of its conversation whose outcome is unknown: the same tool with the same arguments. What it
 * did may have been done, so a person is asked before it is done again. Null where it cannot be found out.
 */
type RepetitionCheck = (call: CallInConversation) => Promise<boolean | null>

export function makeRepetitionCheck({
  database,
  log,
}: {
  readonly database: Database
  readonly log: Log
}): RepetitionCheck {
  return async ({ organizationId, conversationId, functionName, argumentsText }) => {
    const { conversations } = database.ownedBy({ organizationId, kind: 'log' }).stores
    try {
      const unknown = await conversations.unknownCalls(conversationId, functionName)
      return unknown.some((given) => oneSpelling(given) === oneSpelling(argumentsText))
    } catch (error) {
      log.warn({ err: error, conversationId }, 'whether a call is repeated could not be found out')
      return null
    }
  }
}

function oneSpelling(argumentsText: string): string {
  try {
    return canonicalJson(JSON.parse(argumentsText || '{}'))
  } catch {
    return argumentsText
  }
}
