import type { AgentRecord } from '../../../ports/agent-stores.js'
import type { ChatCall, ChatMessage, ChatModels } from '../../../ports/chat-model.js'
import type { Database } from '../../../ports/database.js'
import type { Log } from '../../../ports/log.js'
import type { Cipher } from '../../../ports/secrets.js'
import type { Clock, Timers } from '../../../ports/time.js'
import type { CallableTool, ToolOutcome } from '../../../ports/tool-executor.js'
import { chatTargetOf } from '../../connections/chat-target.js'
import { callItemPrefix } from '../../conversations/message-positions.js'
import { fillText, loadConversationValues, missingVariables } from '../../end-users/template-values.js'
import { runTextTurn } from '../../text-turn/run-text-turn.js'
import type { CallContext } from '../calls/call-records.js'
import type { SubAgentRun, SubAgentRunner } from '../calls/open-call.js'
import { ToolCalls, type ToolCallsDependencies } from '../calls/tool-calls.js'
import type { McpDiscovery } from '../catalog/mcp-discovery.js'
import { buildToolCatalog, rehearsedTools } from '../catalog/tool-catalog.js'
import { mayHaveEffect } from '../running/run-tool.js'

/**
 * The maximum depth of sub-agents below the main agent. The same limit is checked when an agent is saved.
 * This is a second check.
 */
const maxDepth = 3

interface SubAgentDependencies {
  readonly clock: Clock
  readonly database: Database
  readonly cipher: Cipher
  readonly log: Log
  readonly models: ChatModels
  readonly discoverMcpTools: McpDiscovery
  readonly calls: () => ToolCallsDependencies
  /** The time limit of one model step, including retries. */
  readonly stepTimeoutMilliseconds: number
}

export function makeSubAgentRunner(dependencies: SubAgentDependencies): SubAgentRunner {
  return async (run) => {
    const { timeoutSeconds } = run.tool
    const limit = new PausableTimeout(dependencies.calls().timers, timeoutSeconds * 1000)
    // The agents above wait for the approval as well.
    const onApprovalAwaited = (isAwaited: boolean) => {
      limit.setAwaitingApproval(isAwaited)
      run.context.onApprovalAwaited(isAwaited, run.callId)
    }
    try {
      const outcome = await ask(dependencies, {
        ...run,
        context: { ...run.context, onApprovalAwaited },
        signal: AbortSignal.any([run.signal, limit.signal]),
      })
      if (!limit.signal.aborted) return outcome
      const late = `The agent did not finish within ${timeoutSeconds} seconds.`
      return outcome.isUnknown ? unfinished(late) : failure(late)
    } catch (error) {
      dependencies.log.error({ err: error, tool: run.tool.name }, 'a sub-agent failed')
      return failure('The agent failed. See the server log for details.')
    } finally {
      limit.end()
    }
  }
}

async function ask(dependencies: SubAgentDependencies, run: SubAgentRun): Promise<ToolOutcome> {
  const { database, cipher, models, discoverMcpTools } = dependencies
  const { context, tool, signal, left } = run
  if (tool.action.kind !== 'subagent') return failure('This is not an agent.')
  if (context.depth >= maxDepth) return failure('Too many agents are nested.')
  const { organizationId } = context.caller
  const owned = database.ownedBy({ organizationId, kind: 'log' })
  const { stores } = owned
  const agent = await stores.agents.find(organizationId, tool.action.agentId)
  if (agent === null) return failure('The agent was deleted.')
  const found = await chatTargetOf(cipher, stores, agent)
  if (!found.ok) return failure(`The agent ${agent.name} cannot answer: ${found.problem}`)
  const { target } = found
  await context.uses.reserve(owned, agent.id)
  const listings = await discoverMcpTools(agent)
  const below = await stores.agents.findMany(organizationId, agent.subAgentIds)
  const tools = rehearsedTools(buildToolCatalog(agent, below, listings), context.rehearsal)
  const { conversationId } = context.caller
  const { given, values } = await loadConversationValues(dependencies.clock, stores, {
    agent,
    conversationId,
  })
  const [missing] = missingVariables(agent, given)
  if (missing !== undefined)
    return failure(`The agent ${agent.name} needs a value for its variable ${missing}.`)
  const calls = new ToolCalls(dependencies.calls(), subContext(run, agent, tools))
  const stop = () => calls.end()
  const leave = () => calls.leave()
  signal.addEventListener('abort', stop, { once: true })
  left.addEventListener('abort', leave, { once: true })
  if (left.aborted) leave()
  let hasActed = false
  const callTool = ({ callId, name, arguments: args }: ChatCall) => {
    const called = tools.find((each) => each.name === name)
    if (called !== undefined && mayHaveEffect(called.action)) hasActed = true
    return calls.call(calls.freshId(callId), name, args)
  }
  // A sub-agent has no memory, so repeating the question would repeat its effects.
  const incomplete = (output: string) => (hasActed ? unfinished(output) : failure(output))
  try {
    const turn = await runTextTurn({
      models,
      target,
      messages: messagesFor(fillText(agent.systemMessage, values), run.question),
      tools,
      callTool,
      steps: context.uses.stepsOf({ agentId: agent.id, target }),
      stepTimeoutMilliseconds: dependencies.stepTimeoutMilliseconds,
      signal,
    })
    switch (turn.kind) {
      case 'answered':
        return { ok: true, output: turn.text }
      case 'failed':
      case 'mismatched':
      case 'spent':
        return incomplete(`The agent ${agent.name} could not answer: ${turn.detail}`)
      case 'aborted':
        return incomplete(`The agent ${agent.name} was interrupted.`)
    }
  } finally {
    signal.removeEventListener('abort', stop)
    left.removeEventListener('abort', leave)
    calls.end()
  }
}

/** Returns the context for the sub-agent: the same conversation and log, with the sub-agent's own name. */
function subContext(
  { context, messageId }: SubAgentRun,
  agent: AgentRecord,
  tools: readonly CallableTool[],
): CallContext {
  return {
    ...context,
    caller: { ...context.caller, agentId: agent.id, agentName: agent.name },
    tools,
    depth: context.depth + 1,
    itemPrefix: `${callItemPrefix}${messageId}:`,
    canBeResumed: false,
  }
}

function messagesFor(systemMessage: string, question: unknown): ChatMessage[] {
  const asked: ChatMessage = { role: 'user', text: typeof question === 'string' ? question : '' }
  return systemMessage === '' ? [asked] : [{ role: 'system', text: systemMessage }, asked]
}

const unfinished = (output: string): ToolOutcome => ({
  ok: false,
  output: `${output} It had already called tools, so the outcome is unknown. Do not repeat the question; say that the outcome is unknown.`,
  isUnknown: true,
})

const failure = (output: string): ToolOutcome => ({ ok: false, output })

/**
 * The time limit of a sub-agent. The timer is paused while one of its calls, or a call of the agents below
 * it, waits for approval. The person who decides therefore has the full announced time, and the agent keeps
 * its remaining time.
 */
export class PausableTimeout {
  readonly #timers: Timers
  readonly #overdue = new AbortController()
  #pendingApprovals = 0
  #remainingMilliseconds: number
  #runsSince = 0
  #cancel: () => void = () => undefined
  #isEnded = false

  constructor(timers: Timers, milliseconds: number) {
    this.#timers = timers
    this.#remainingMilliseconds = milliseconds
    this.#run()
  }

  /** Aborts at the timeout. */
  get signal(): AbortSignal {
    return this.#overdue.signal
  }

  /** Called when a call starts or stops waiting for approval. */
  setAwaitingApproval(isAwaited: boolean): void {
    this.#pendingApprovals += isAwaited ? 1 : -1
    if (isAwaited && this.#pendingApprovals === 1) this.#pause()
    if (!isAwaited && this.#pendingApprovals === 0) this.#run()
  }

  /** Called when the agent has finished. */
  end(): void {
    this.#isEnded = true
    this.#cancel()
  }

  #run(): void {
    // A call that stops waiting after the agent has finished must not restart the timer.
    if (this.#isEnded) return
    this.#runsSince = this.#timers.monotonic()
    this.#cancel = this.#timers.after(this.#remainingMilliseconds, () => this.#overdue.abort())
  }

  #pause(): void {
    this.#cancel()
    this.#remainingMilliseconds -= this.#timers.monotonic() - this.#runsSince
  }
}
