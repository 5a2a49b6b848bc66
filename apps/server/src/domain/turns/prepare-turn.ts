import type { AgentRecord } from '../../ports/agent-stores.js'
import type { ChatMessage, ChatTarget } from '../../ports/chat-model.js'
import type { TurnRecord } from '../../ports/conversation-stores.js'
import type { Database, Stores } from '../../ports/database.js'
import type { Cipher } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import type { CallableTool } from '../../ports/tool-executor.js'
import { chatTargetOf } from '../connections/chat-target.js'
import { loadMemory, type MemoryDependencies } from '../conversations/conversation-memory.js'
import { dayLimitFor } from '../end-users/end-user-limits.js'
import { loadNotes, planMemory, remembers } from '../end-users/memory-notes.js'
import { fillText, hasVariables, loadConversationValues } from '../end-users/template-values.js'
import { fileContext } from '../files/file-context.js'
import { formatInstructions } from '../text-turn/answer-format.js'
import type { McpDiscovery } from '../tools/catalog/mcp-discovery.js'
import { buildToolCatalog, rehearsedTools, withFileSearch } from '../tools/catalog/tool-catalog.js'
import type { UseCounter } from '../usage/use-counter.js'

/** The approximate number of characters per token. */
const charactersPerToken = 4
const maxImageBytes = 20 * 1024 * 1024

export interface PrepareTurnDependencies extends Omit<MemoryDependencies, 'database'> {
  readonly database: Database
  readonly cipher: Cipher
  readonly discoverMcpTools: McpDiscovery
  /**
   * The number of tokens in the context of text models that are available for the conversation and its files.
   */
  readonly contextTokens: number
}

/** The input of a chat model for an answer. */
export interface PreparedTurn {
  readonly agent: AgentRecord
  readonly target: ChatTarget
  readonly tools: readonly CallableTool[]
  readonly messages: readonly ChatMessage[]
  /** Whether the model first wrote a summary of the conversation. */
  readonly isSummarized: boolean
}

export type TurnPreparation =
  | ({ readonly ok: true } & PreparedTurn)
  /** Why the agent cannot answer, for the caller. */
  | { readonly ok: false; readonly problem: string }

/** Fills the variables of the agent's instructions with the values of the conversation. */
async function filledSystemMessage(
  { clock }: Pick<PrepareTurnDependencies, 'clock'>,
  stores: Stores,
  { agent, conversationId }: { readonly agent: AgentRecord; readonly conversationId: string },
): Promise<string> {
  if (!hasVariables(agent.systemMessage)) return agent.systemMessage
  const { values } = await loadConversationValues(clock, stores, { agent, conversationId })
  return fillText(agent.systemMessage, values)
}

/** Returns what the agent remembers about the end user, and plans to remember this conversation as well. */
async function notesFor(
  clock: Clock,
  stores: Stores,
  agent: AgentRecord,
  { organizationId, conversationId, endUserId, rehearsal }: TurnRecord,
): Promise<ChatMessage[]> {
  if (endUserId === null || !remembers(agent, endUserId)) return []
  if (rehearsal === null) await planMemory(clock, stores, { organizationId, conversationId })
  const text = await loadNotes(stores, { endUserId, agentId: agent.id })
  return text === null ? [] : [{ role: 'user', text }]
}

/** Builds the model's input for a question: instructions, memory, files, and finally the question. */
export async function prepareTurn(
  dependencies: PrepareTurnDependencies,
  turn: TurnRecord,
  { signal, uses }: { readonly signal: AbortSignal; readonly uses: UseCounter },
): Promise<TurnPreparation> {
  const { clock, cipher, discoverMcpTools, contextTokens } = dependencies
  const { organizationId, conversationId, question } = turn
  const database = dependencies.database.ownedBy({ organizationId, kind: 'log' })
  const { stores } = database
  const agent = await stores.agents.find(organizationId, turn.agentId)
  if (agent === null) return { ok: false, problem: 'The agent was deleted.' }
  if (turn.rehearsal === null) uses.limitBy(dayLimitFor(agent, turn.endUserId))
  await uses.checkDay(database)
  await uses.reserve(database, agent.id)
  const found = await chatTargetOf(cipher, stores, agent)
  if (!found.ok) return found
  const { target } = found

  // Memory and files each get half of the available context.
  const budgetCharacters = (contextTokens * charactersPerToken) / 2
  const files = await stores.files.ofConversation(conversationId, clock.now().toISOString())
  const context = await fileContext(stores, { files, question, budgetCharacters, maxImageBytes })
  const memory = await loadMemory(
    { ...dependencies, database },
    {
      conversationId,
      exceptMessageId: turn.questionMessageId,
      target,
      budgetCharacters,
      signal,
      steps: uses.stepsOf({ agentId: agent.id, target }),
    },
  )
  const listings = await discoverMcpTools(agent)
  const subAgents = await stores.agents.findMany(organizationId, agent.subAgentIds)
  const catalog = buildToolCatalog(agent, subAgents, listings)
  const tools = rehearsedTools(files.length > 0 ? withFileSearch(catalog) : catalog, turn.rehearsal)
  const systemMessage = await filledSystemMessage({ clock }, stores, { agent, conversationId })
  const instructions = [
    systemMessage,
    turn.additionalInstructions ?? '',
    turn.responseSchema === null ? '' : formatInstructions(turn.responseSchema),
    memory.summary === null ? '' : `Summary of the earlier conversation:\n${memory.summary}`,
  ].filter((part) => part !== '')
  const messages: ChatMessage[] = [
    ...(instructions.length === 0 ? [] : [{ role: 'system' as const, text: instructions.join('\n\n') }]),
    // Notes are sent outside the instructions as well.
    ...(await notesFor(clock, stores, agent, turn)),
    ...memory.messages,
    // Files are sent outside the instructions, because the text of a file must not instruct the agent.
    ...(context.text === null ? [] : [{ role: 'user' as const, text: context.text }]),
    { role: 'user', text: question, images: context.images },
  ]
  return { ok: true, agent, target, tools, messages, isSummarized: memory.isSummarized }
}
