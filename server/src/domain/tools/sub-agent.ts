import type { CustomEvent } from '@parley/contract'
import type { AgentRecord } from '../../ports/agent-store.js'
import type { ChatMessage, ChatModels } from '../../ports/chat-model.js'
import type { Cipher } from '../../ports/cipher.js'
import type { Database } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { CallableTool, ToolOutcome } from '../../ports/tool-executor.js'
import { chatTargetOf } from '../agents/chat-target.js'
import { runTextTurn } from '../turns/run-text-turn.js'
import { callItemPrefix } from './call-message.js'
import type { McpDiscovery } from './mcp-discovery.js'
import { PatientLimit } from './patient-limit.js'
import { type CallScene, ToolCalls, type ToolCallsDependencies } from './tool-calls.js'
import { toolCatalog } from './tool-catalog.js'

/** How many agents may stand below the one that is spoken to. Saving keeps chains that short; this is the net below. */
const maxDepth = 3

export interface SubAgentRun {
  readonly tool: CallableTool
  readonly scene: CallScene
  /** The message of the call; the sub-agent's own calls are set apart by it. */
  readonly messageId: string
  readonly question: unknown
  readonly signal: AbortSignal
  /** Aborts when nobody listens any more: the turn goes on, and what waits for a person is let go. */
  readonly left: AbortSignal
}

/** Lets another agent work on a question. Never rejects. */
export type SubAgentRunner = (run: SubAgentRun) => Promise<ToolOutcome>

export interface SubAgentDependencies {
  readonly database: Database
  readonly cipher: Cipher
  readonly log: Log
  readonly models: ChatModels
  readonly discovery: McpDiscovery
  readonly calls: () => ToolCallsDependencies
  /** How long a model may take for one step, tries included. */
  readonly stepTimeoutMilliseconds: number
}

export function makeSubAgentRunner(dependencies: SubAgentDependencies): SubAgentRunner {
  return async (run) => {
    const { timeoutSeconds } = run.tool
    const limit = new PatientLimit(dependencies.calls().timers, timeoutSeconds * 1000)
    const tell = (event: CustomEvent) => {
      limit.hear(event)
      run.scene.tell(event)
    }
    try {
      const outcome = await ask(dependencies, {
        ...run,
        scene: { ...run.scene, tell },
        signal: AbortSignal.any([run.signal, limit.signal]),
      })
      return limit.signal.aborted
        ? failure(`The agent did not finish within ${timeoutSeconds} seconds.`)
        : outcome
    } catch (error) {
      dependencies.log.error({ err: error, tool: run.tool.name }, 'a sub-agent failed')
      return failure('The agent could not be asked. The operator can find the reason in the log.')
    } finally {
      limit.end()
    }
  }
}

async function ask(dependencies: SubAgentDependencies, run: SubAgentRun): Promise<ToolOutcome> {
  const { database, cipher, models } = dependencies
  const { scene, tool, signal, left } = run
  if (tool.action.kind !== 'subagent') return failure('This is no agent.')
  if (scene.depth >= maxDepth) return failure('The agents ask one another too deeply.')
  const agent = await database.stores.agents.find(scene.place.organizationId, tool.action.agentId)
  if (agent === null) return failure('The agent was deleted.')
  const target = await chatTargetOf(database.stores, cipher, agent)
  if ('problem' in target) return failure(`The agent ${agent.name} cannot answer: ${target.problem}`)
  const tools = await catalogOf(dependencies, agent)
  const calls = new ToolCalls(dependencies.calls(), subScene(run, agent, tools))
  const stop = () => calls.end()
  const leave = () => calls.leave()
  signal.addEventListener('abort', stop, { once: true })
  left.addEventListener('abort', leave, { once: true })
  if (left.aborted) leave()
  try {
    const turn = await runTextTurn({
      models,
      target,
      messages: messagesFor(agent, run.question),
      tools,
      callTool: ({ callId, name, arguments: given }) => calls.call(calls.freshId(callId), name, given),
      stepTimeoutMilliseconds: dependencies.stepTimeoutMilliseconds,
      signal,
    })
    scene.spent(turn.usage)
    if (turn.outcome === 'answered') return { isSuccess: true, output: turn.text }
    return failure(
      turn.outcome === 'failed'
        ? `The agent ${agent.name} could not answer: ${turn.detail}`
        : `The agent ${agent.name} was interrupted.`,
    )
  } finally {
    signal.removeEventListener('abort', stop)
    left.removeEventListener('abort', leave)
    calls.end()
  }
}

async function catalogOf(
  { database, discovery }: SubAgentDependencies,
  agent: AgentRecord,
): Promise<CallableTool[]> {
  const offers = await discovery.offersOf(agent)
  const below = await database.stores.agents.findMany(agent.organizationId, agent.subAgentIds)
  return toolCatalog(agent, below, offers)
}

/** The same conversation and the same listeners, in the sub-agent's own name. */
function subScene(
  { scene, messageId }: SubAgentRun,
  agent: AgentRecord,
  tools: readonly CallableTool[],
): CallScene {
  return {
    ...scene,
    place: { ...scene.place, agentId: agent.id, agentName: agent.name },
    tools,
    depth: scene.depth + 1,
    itemPrefix: `${callItemPrefix}${messageId}:`,
    canBeResumed: false,
  }
}

function messagesFor(agent: AgentRecord, question: unknown): ChatMessage[] {
  const asked: ChatMessage = { role: 'user', text: typeof question === 'string' ? question : '' }
  return agent.systemMessage === '' ? [asked] : [{ role: 'system', text: agent.systemMessage }, asked]
}

const failure = (output: string): ToolOutcome => ({ isSuccess: false, output })
