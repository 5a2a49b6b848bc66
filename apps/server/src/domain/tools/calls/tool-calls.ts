import type { ApprovedBy } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import type { Database } from '../../../ports/database.js'
import type { Log } from '../../../ports/log.js'
import type { ApprovalRecord } from '../../../ports/task-stores.js'
import {
  type ArgumentChecker,
  maxArgumentsCharacters,
  omittedArguments,
} from '../../../ports/tool-executor.js'
import { canonicalJson } from '../../json-text.js'
import { RecentIds } from '../../recent-ids.js'
import { narrowed, undecidable } from '../approvals/approvals.js'
import { askedArguments } from '../approvals/waiting-approvals.js'
import { mayHaveEffect } from '../running/run-tool.js'
import { type CallContext, startEvent, type ToolCall } from './call-records.js'
import { type CallGroup, OpenCall, type OpenCallDependencies, RunSlots } from './open-call.js'
import {
  type AskedApproval,
  beginToolCall,
  resumeToolCall,
  type ToolCallState,
  type ToolCallStep,
  unrecorded,
} from './tool-call.js'

/** The maximum number of concurrent calls of one session or turn. */
const maxRunning = 8

export interface ToolCallsDependencies extends OpenCallDependencies {
  readonly argumentChecker: ArgumentChecker
  readonly approvalTimeoutSeconds: number
  readonly isRepetition: RepetitionCheck
}

/** The calls of one session or turn. They run in parallel and never block the relay. */
export class ToolCalls {
  readonly #dependencies: ToolCallsDependencies
  readonly #context: CallContext
  readonly #group: CallGroup
  /** The calls without an output. */
  readonly #calls = new Map<string, OpenCall>()
  /** Only the ids of finished calls are stored, because sessions are long and calls may be large. */
  readonly #finished = new RecentIds()
  /** The future outputs of calls whose arguments are being checked. */
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

  /** Returns whether a call has no outcome yet. */
  get hasOpenCall(): boolean {
    return this.#checking.size > 0 || [...this.#calls.values()].some(({ isOpen }) => isOpen)
  }

  /** Returns whether a call waits for approval. */
  get hasWaitingCall(): boolean {
    return [...this.#calls.values()].some(({ isWaiting }) => isWaiting)
  }

  /** Returns whether all open calls wait for approval. */
  get isOnlyWaiting(): boolean {
    const open = [...this.#calls.values()].filter(({ isOpen }) => isOpen)
    return this.#checking.size === 0 && open.length > 0 && open.every(({ isWaiting }) => isWaiting)
  }

  knows(callId: string): boolean {
    return this.#calls.has(callId) || this.#checking.has(callId) || this.#finished.has(callId)
  }

  /**
   * Returns this id if it is unused, otherwise a similar new one, because some models reuse ids in every
   * step.
   */
  freshId(callId: string): string {
    for (let count = 1; ; count += 1) {
      const id = count === 1 ? callId : `${callId}-${count}`
      if (!this.knows(id)) return id
    }
  }

  /**
   * Runs a call and resolves with its single output. The same call may be announced repeatedly. Never
   * rejects.
   */
  call(callId: string, functionName: string, argumentsText: string): Promise<string> {
    const known = this.#checking.get(callId) ?? this.#calls.get(callId)?.output
    if (known !== undefined) return known
    const call = this.#newCall(callId, functionName, argumentsText)
    const output = this.#inOrder(() => this.#check(call)).then((checked) => {
      this.#checking.delete(callId)
      return this.#begin(checked.call, checked.step)
    })
    this.#checking.set(callId, output)
    return output
  }

  /** Ends a call that was cut off before its arguments were complete. Such a call is never run. */
  interrupted(callId: string, functionName: string, argumentsText: string): Promise<string> {
    const { call, step } = refused(
      this.#newCall(callId, functionName, argumentsText),
      'The call was interrupted before it was complete. It was not run.',
    )
    return this.#checking.get(callId) ?? this.#begin(call, step)
  }

  /**
   * Resumes a call of an earlier session. It runs with the arguments in the approval, because these were
   * shown to the person who decided.
   */
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

  /**
   * Called when the caller disconnects. Running calls continue, and calls that wait for approval are
   * released.
   */
  leave(): void {
    if (this.#left.signal.aborted) return
    this.#left.abort()
    for (const call of this.#calls.values()) call.leave()
  }

  /** Disconnects from the calls, and stops them if no later session could use their outputs. */
  end(): void {
    this.leave()
    if (!this.#context.canBeResumed) this.#stopping.abort()
  }

  /** Settles when no call is running. */
  async settled(): Promise<void> {
    await Promise.all(this.#checking.values())
    await Promise.all([...this.#calls.values()].map(({ isOpen, output }) => isOpen && output))
  }

  /**
   * Runs the checks one after the other, so that calls are stored in the order in which the model made them.
   */
  #inOrder<Value>(check: () => Promise<Value>): Promise<Value> {
    const checked = this.#lastCheck.then(check)
    this.#lastCheck = checked
    return checked
  }

  /**
   * Checks the arguments, and whether the call requires approval. Returns the call with the arguments to
   * store.
   */
  async #check(call: ToolCall): Promise<{ readonly call: ToolCall; readonly step: ToolCallStep }> {
    const { functionName, tool } = call
    if (tool === null) return refused(call, `The tool ${functionName} does not exist.`)
    const { argumentChecker, isRepetition } = this.#dependencies
    const { organizationId, conversationId } = this.#context.caller
    const { argumentsText } = call
    const checked = await argumentChecker.check({ organizationId, schema: tool.parameters, argumentsText })
    if (!checked.ok) return refused(call, checked.problem)
    const mayRepeat = !tool.approvalRequired && mayHaveEffect(tool.action)
    const repeated = { organizationId, conversationId, functionName, argumentsText: checked.text }
    const isRepeated = mayRepeat && (await isRepetition(repeated))
    if (isRepeated === null) return refused(call, unrecorded)
    const work = { tool, arguments: checked.arguments }
    const accepted = (approval: AskedApproval | null) => ({
      call: { ...call, argumentsText: checked.text },
      step: beginToolCall({ ok: true, work }, approval),
    })
    if (!tool.approvalRequired && !isRepeated) return accepted(null)
    const approvedBy = narrowed(tool.approvedBy ?? 'either', this.#context.approvedBy)
    return approvedBy === null ? refused(call, undecidable) : accepted(this.#askedApproval(approvedBy))
  }

  #newCall(callId: string, functionName: string, argumentsText: string): ToolCall {
    const { tools, caller } = this.#context
    const tool = tools.find(({ name }) => name === functionName) ?? null
    return { messageId: uuid(), callId, agentId: caller.agentId, functionName, argumentsText, tool }
  }

  #begin(call: ToolCall, step: ToolCallStep): Promise<string> {
    const known = this.#calls.get(call.callId)
    if (known) return known.output
    const opened = this.#add(call, step.state)
    opened.apply(step)
    return opened.output
  }

  #add(call: ToolCall, state: ToolCallState): OpenCall {
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

/** A rejected call is stored with the model's original arguments if they are not too long. */
function refused(call: ToolCall, problem: string) {
  const { argumentsText: text } = call
  const argumentsText = text.length > maxArgumentsCharacters ? omittedArguments : text
  return { call: { ...call, argumentsText }, step: beginToolCall({ ok: false, problem }, null) }
}

interface CallInConversation {
  readonly organizationId: string
  readonly conversationId: string
  readonly functionName: string
  readonly argumentsText: string
}

/**
 * Resolves with whether a call repeats an earlier call of the conversation with an unknown outcome: the same
 * tool with the same arguments. The earlier call may have taken effect, so the repetition requires approval.
 * Resolves with null if the database fails.
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
      return unknown.some((text) => oneSpelling(text) === oneSpelling(argumentsText))
    } catch (error) {
      log.warn({ err: error, conversationId }, 'could not check whether a call is a repetition')
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
