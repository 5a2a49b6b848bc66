import {
  mcpToolName,
  noCost,
  type PhoneTurnDetection,
  type RealtimeSessionRequest,
  type RealtimeSessionTicket,
} from '@parley/contract'
import type { AgentRecord, ConnectionRecord } from '../../../ports/agent-stores.js'
import type { ConversationRecord } from '../../../ports/conversation-stores.js'
import type { Stores } from '../../../ports/database.js'
import type {
  RealtimeAccessMode,
  RealtimeSessionRecord,
  SessionModel,
  SessionSetup,
} from '../../../ports/realtime-stores.js'
import type { Clock } from '../../../ports/time.js'
import type { Tracing } from '../../../ports/tracing.js'
import { recordChange } from '../../audit/record-change.js'
import { type CallerScope, keyOf } from '../../caller-scope.js'
import { contextOf, conversationAdditions, conversationIn } from '../../conversations/conversations.js'
import { DomainError, invalidRequest, notFound } from '../../domain-error.js'
import { limitedEndUser, requireSessionRoom } from '../../end-users/end-user-limits.js'
import { remembers } from '../../end-users/memory-notes.js'
import { fillText, hasVariables, loadValues, requireVariables } from '../../end-users/template-values.js'
import { type Limits, oneMore } from '../../limits/organization-limits.js'
import { generateToken, hashToken } from '../../new-id.js'
import { newResource } from '../../resources/resource.js'
import { buildToolCatalog, type McpToolListings, rehearsedTools } from '../../tools/catalog/tool-catalog.js'
import { requireBudget } from '../../usage/budgets/reserve-budget.js'
import { noUsage } from '../usage.js'
import {
  type AccessSettings,
  accessModeOf,
  defaultVoiceOf,
  definitionOf,
  type RealtimeDefaults,
  realtimeModelsOf,
  requireAccessMode,
  requireBackendModel,
  requireRealtime,
  requireVoicedModel,
  usableOnes,
} from './realtime-model.js'

export interface RealtimeSettings extends RealtimeDefaults, AccessSettings {
  readonly inputFormats: readonly string[]
  readonly outputFormats: readonly string[]
  readonly sessionTtlSeconds: number
  readonly maxSessionSeconds: number
  readonly idleTimeoutSeconds: number
}

export interface CreateSessionDependencies {
  readonly clock: Clock
  readonly limits: Limits
  readonly settings: RealtimeSettings
  readonly tracing: Tracing
}

export interface WantedSession {
  readonly agentId: string
  readonly request: RealtimeSessionRequest
  /**
   * The tools of the agent's MCP servers. They are listed before the transaction, because that takes time.
   */
  readonly listings: McpToolListings | null
  /** The settings of a telephone call. Absent for other clients. */
  readonly telephone?: {
    /** Replaces the first message of the agent, unless it is null. */
    readonly greeting: string | null
    readonly turnDetection: PhoneTurnDetection
    /** A BCP 47 tag, or null if it is unknown. */
    readonly language: string | null
  }
}

/**
 * The ticket. If the tools of the agent's MCP servers have not been listed yet, `ok` is false; the caller
 * lists them and tries again.
 */
export type CreatedSession =
  | { readonly ok: true; readonly ticket: RealtimeSessionTicket }
  | { readonly ok: false; readonly agent: AgentRecord }

interface SetupInput extends Pick<WantedSession, 'request'> {
  readonly agent: AgentRecord
  readonly listings: McpToolListings
  /** The agent's own connection, if it has one. */
  readonly connection: ConnectionRecord | null
  readonly accessMode: RealtimeAccessMode
}

/**
 * Creates a session and its one-time token. The session's setup is stored now. The conversation is read
 * later, when the session starts.
 */
export async function createRealtimeSession(
  { clock, limits, settings, tracing }: CreateSessionDependencies,
  scope: CallerScope,
  { agentId, request, listings, telephone }: WantedSession,
): Promise<CreatedSession> {
  const { stores, caller } = scope
  const { organizationId } = caller
  const accessMode = accessModeOf(caller)
  requireAccessMode(settings, accessMode)
  const { conversationId: wanted } = request
  const rehearsal = request.rehearsal !== null
  // All counts, and whether budgets exist, are read in one round trip.
  const additions = [oneMore('sessions'), ...conversationAdditions(wanted)]
  const [found, amounts] = await Promise.all([
    stores.connections.findOfAgent(organizationId, agentId),
    limits.amounts(scope, additions, ['budgets']),
  ])
  if (found === null) throw notFound('Agent')
  const agent = telephone?.greeting ? { ...found.agent, firstMessage: telephone.greeting } : found.agent
  if (listings === null && agent.tools.some(({ kind }) => kind === 'mcp')) return { ok: false, agent }
  limits.judge(amounts, additions)
  const apiKeyId = keyOf(caller)
  if ((amounts.get('budgets') ?? 0) > 0)
    await requireBudget({ clock }, stores, { organizationId, agentId, apiKeyId })
  const wantedSetup = { ...found, agent, request, listings: listings ?? new Map(), accessMode }
  const made = await setupOf(stores, settings, wantedSetup)
  const conversation = await conversationIn({ clock }, scope, {
    agent,
    conversationId: wanted,
    rehearsal,
    context: contextOf(request),
  })
  const { id: conversationId, endUserId } = conversation
  if (endUserId !== null && !rehearsal)
    await requireSessionRoom({ clock }, stores, { agent, limitedId: limitedEndUser(agentId, endUserId) })
  const filled = await fillSetup({ clock }, stores, { setup: made, agent, conversation })
  const setup = {
    ...filled,
    ...(telephone && { turnDetection: telephone.turnDetection }),
    ...(telephone?.language && { language: telephone.language }),
    ...(remembers(agent, endUserId) && { remembers: true }),
    ...(tracing.isRecording && { trace: tracing.headers() }),
  }
  const token = generateToken()
  const session = newSession(clock, settings, {
    agent,
    conversationId,
    token,
    setup,
    apiKeyId,
    rehearsal,
    endUserId,
  })
  await stores.realtimeSessions.insert(session)
  await recordChange(clock, scope, {
    action: 'realtime_session.create',
    type: 'RealtimeSession',
    id: session.id,
    details: {
      agentId,
      conversationId,
      ...(endUserId !== null && { endUserId }),
      ...(rehearsal && { rehearsal }),
    },
  })
  return { ok: true, ticket: ticketOf(settings, session, token) }
}

function ticketOf(
  settings: RealtimeSettings,
  { agentId, conversationId, expiresAt, setup }: RealtimeSessionRecord,
  token: string,
): RealtimeSessionTicket {
  return {
    sessionId: token,
    conversationId,
    expiresAt,
    webSocketPath: `/api/v1/Agent/${agentId}/realtime?conversationId=${conversationId}&sessionId=${token}`,
    supportedInputAudioFormats: [...settings.inputFormats],
    supportedOutputAudioFormats: [...settings.outputFormats],
    maxSessionSeconds: settings.maxSessionSeconds,
    idleTimeoutSeconds: settings.idleTimeoutSeconds,
    providerModelName: setup.model,
  }
}

async function setupOf(
  stores: Stores,
  settings: RealtimeSettings,
  { agent, connection: found, request, listings, accessMode }: SetupInput,
): Promise<SessionSetup> {
  const [first, ...fallbacks] = await sessionModels(stores, settings, { agent, connection: found, request })
  requireFormat('input', request.inputAudioFormat, settings.inputFormats)
  requireFormat('output', request.outputAudioFormat, settings.outputFormats)
  const subAgents = await stores.agents.findMany(agent.organizationId, agent.subAgentIds)
  const backendTools = buildToolCatalog(agent, subAgents, listings)
  refuseClashes(request, [...agent.tools, ...backendTools])
  return {
    accessMode,
    ...first,
    ...(fallbacks.length > 0 && { fallbacks }),
    inputAudioFormat: request.inputAudioFormat,
    outputAudioFormat: request.outputAudioFormat,
    instructions: [agent.systemMessage, request.additionalInstructions ?? '']
      .filter((part) => part !== '')
      .join('\n\n'),
    tools: [...backendTools, ...request.clientTools].map(definitionOf),
    backendTools: rehearsedTools(backendTools, request.rehearsal),
    agentName: agent.name,
    ...(request.rehearsal !== null && { rehearsal: request.rehearsal }),
    ...(request.approvedBy !== 'either' && { approvedBy: request.approvedBy }),
  }
}

/**
 * Returns the model of the agent and its fallbacks, without those that cannot be used at the moment. Throws why the
 * agent's own model cannot be used if none is left.
 */
async function sessionModels(
  stores: Stores,
  settings: RealtimeSettings,
  { agent, connection, request }: Pick<SetupInput, 'agent' | 'connection' | 'request'>,
): Promise<[SessionModel, ...SessionModel[]]> {
  const voice = request.voice ?? agent.voice
  const { firstMessage } = agent
  const named = [{ connection, model: agent.realtimeModel, voice, firstMessage }]
  for (const fallback of agent.realtimeFallbacks)
    named.push({
      connection: await stores.connections.find(agent.organizationId, fallback.connectionId),
      model: fallback.model,
      voice: fallback.voice ?? voice,
      firstMessage: fallback.firstMessage ?? firstMessage,
    })
  return usableOnes(named, async ({ connection: found, model, voice: chosen, ...rest }) => {
    const usable = requireRealtime(found)
    const models = realtimeModelsOf({ realtimeModel: model }, usable, settings)
    await requireVoicedModel(stores, usable, agent)
    const isOwn = (agent.connectionId ?? usable.id) === usable.id
    requireBackendModel(usable, models.model, isOwn ? agent.model : null)
    return { connectionId: usable.id, ...models, voice: chosen ?? defaultVoiceOf(usable), ...rest }
  })
}

interface SetupToFill {
  readonly setup: SessionSetup
  readonly agent: AgentRecord
  readonly conversation: ConversationRecord
}

/** Fills the variables of the agent's texts. The caller's own instructions are not a template. */
async function fillSetup(
  { clock }: Pick<CreateSessionDependencies, 'clock'>,
  stores: Stores,
  { setup, agent, conversation }: SetupToFill,
): Promise<SessionSetup> {
  requireVariables(agent, conversation.variables)
  const { systemMessage } = agent
  const { fallbacks = [] } = setup
  const firstMessages = [setup, ...fallbacks].map(({ firstMessage }) => firstMessage ?? '')
  if (!hasVariables(systemMessage, ...firstMessages)) return setup
  const values = await loadValues(clock, stores, { agent, conversation, given: conversation.variables })
  const fillFirst = <Model extends SessionModel>(model: Model): Model =>
    model.firstMessage ? { ...model, firstMessage: fillText(model.firstMessage, values) } : model
  return {
    ...fillFirst(setup),
    instructions: fillText(systemMessage, values) + setup.instructions.slice(systemMessage.length),
    ...(fallbacks.length > 0 && { fallbacks: fallbacks.map(fillFirst) }),
  }
}

function requireFormat(direction: string, format: string, supported: readonly string[]): void {
  if (supported.includes(format)) return
  const detail = `The ${direction} audio format ${format} is not supported. Supported formats: ${supported.join(', ')}.`
  throw new DomainError('RealtimeAudioFormatUnsupported', detail)
}

/**
 * Throws if a client tool has the name of a tool of the agent. The names of MCP tools are reserved as well,
 * although models only see the names of the server's tools.
 */
function refuseClashes(
  { clientTools }: RealtimeSessionRequest,
  backendTools: readonly { readonly name: string; readonly kind?: string }[],
): void {
  const isTaken = (name: string) =>
    backendTools.some(
      (tool) => tool.name === name || (tool.kind === 'mcp' && name.startsWith(mcpToolName(tool.name, ''))),
    )
  const errors = clientTools.flatMap(({ name }, index) =>
    isTaken(name)
      ? [{ path: `clientTools[${index}].name`, message: `is already used by a tool of the agent` }]
      : [],
  )
  if (errors.length > 0) throw invalidRequest(errors)
}

interface NewSession
  extends Pick<RealtimeSessionRecord, 'conversationId' | 'setup' | 'apiKeyId' | 'rehearsal' | 'endUserId'> {
  readonly agent: AgentRecord
  readonly token: string
}

function newSession(
  clock: Clock,
  settings: RealtimeSettings,
  { agent, conversationId, token, setup, apiKeyId, rehearsal, endUserId }: NewSession,
): RealtimeSessionRecord {
  return {
    ...newResource(clock, agent.organizationId),
    agentId: agent.id,
    conversationId,
    state: 'issued',
    tokenHash: hashToken(token),
    expiresAt: new Date(clock.now().getTime() + settings.sessionTtlSeconds * 1000).toISOString(),
    startedAt: null,
    endedAt: null,
    endReason: null,
    endRequestedAt: null,
    instanceId: null,
    usage: noUsage,
    cost: noCost,
    latency: null,
    setup,
    apiKeyId,
    rehearsal,
    endUserId,
    limitedId: null,
  }
}
