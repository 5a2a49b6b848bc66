import { connectionAddress } from '@parley/contract'
import type { ConnectionRecord } from '../../../ports/agent-stores.js'
import type { ChatTarget } from '../../../ports/chat-model.js'
import { type Database, type OwnedDatabase, type Stores, unauthenticated } from '../../../ports/database.js'
import type { ProviderTarget } from '../../../ports/realtime-provider.js'
import type {
  ConsumedSession,
  RealtimeSessionRecord,
  SessionModel,
  SessionSetup,
  StartedSession,
} from '../../../ports/realtime-stores.js'
import type { Cipher } from '../../../ports/secrets.js'
import type { ApprovalRecord } from '../../../ports/task-stores.js'
import type { Clock, Timers } from '../../../ports/time.js'
import { type ChatSource, openApiKey, openChatSource } from '../../connections/chat-target.js'
import { DomainError } from '../../domain-error.js'
import type { Limits } from '../../limits/organization-limits.js'
import { hashToken } from '../../new-id.js'
import { adoptCalls } from '../../tools/approvals/unattended-calls.js'
import { fileSearchName } from '../../tools/catalog/tool-catalog.js'
import { requireBudget, requireReservation } from '../../usage/budgets/reserve-budget.js'
import { chatModelOf, type UsedModel } from '../../usage/model-use.js'
import { type HistoryItem, historyItems, historyLimits } from './history.js'
import {
  type AccessSettings,
  type RealtimeDefaults,
  requireAccessMode,
  requireModel,
  requireRealtime,
  requireVoicedModel,
  searchingFiles,
  usableOnes,
} from './realtime-model.js'

/** The unverified token and parameters that a client sends when it opens the socket. */
export interface PresentedTicket {
  readonly agentId: string
  readonly conversationId: string
  readonly token: string
}

/** The models of a session, for usage accounting. */
export interface SessionModels {
  readonly response: UsedModel
  readonly transcription: UsedModel
}

/** A realtime model that may answer in a session. */
export interface ProviderCandidate {
  readonly model: SessionModel
  readonly target: ProviderTarget
  readonly models: SessionModels
}

export interface AcceptedSession extends StartedSession {
  /** This instance's monotonic time at the moment of the database's start time. */
  readonly startedAt: number
  /** The models to try, in order. */
  readonly candidates: readonly [ProviderCandidate, ...ProviderCandidate[]]
  readonly history: readonly HistoryItem[]
  /** Waiting calls of earlier sessions. The history contains them without an output. */
  readonly adopted: readonly ApprovalRecord[]
}

export interface AcceptDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly limits: Limits
  readonly timers: Timers
  readonly cipher: Cipher
  readonly instanceId: string
  readonly settings: RealtimeDefaults & AccessSettings
}

/**
 * Accepts a session. The token is consumed first and checked afterwards, so that presenting a token with the
 * wrong agent uses it up. If a later check fails, the session ends immediately.
 */
export async function acceptSession(
  dependencies: AcceptDependencies,
  ticket: PresentedTicket,
): Promise<AcceptedSession> {
  const { database, clock, limits, timers, instanceId } = dependencies
  const now = clock.now().toISOString()
  const unknown = database.ownedBy({ organizationId: unauthenticated, kind: 'call' })
  const started = await unknown.stores.realtimeSessions.consume({
    tokenHash: hashToken(ticket.token),
    now,
    instanceId,
    maxRunning: limits.maxima.sessions,
  })
  const startedAt = timers.monotonic()
  if (started === null) throw await explainToken(dependencies, ticket)
  const own = database.ownedBy({ organizationId: started.session.organizationId, kind: 'call' })
  try {
    requireFit(started.session, ticket)
    requireAccessMode(dependencies.settings, started.session.setup.accessMode)
    if (started.hasOrganizationBudgets) {
      const { id, organizationId, agentId, apiKeyId } = started.session
      const work = { sourceId: id, organizationId, agentId, apiKeyId }
      await own.transaction((stores) => requireReservation({ clock }, stores, work, 'running'))
    }
    return { ...started, startedAt, ...(await prepare({ ...dependencies, database: own }, started)) }
  } catch (error) {
    await own.stores.realtimeSessions.end(started.session.id, 'refused', now)
    throw error
  }
}

/**
 * Returns why the token would be refused. For a valid token, returns that the path requires a WebSocket. Does
 * not consume the token.
 */
export async function explainToken(
  {
    database,
    clock,
    limits,
    settings,
  }: Pick<AcceptDependencies, 'database' | 'clock' | 'limits' | 'settings'>,
  ticket: PresentedTicket,
): Promise<DomainError> {
  const { stores } = database.ownedBy({ organizationId: unauthenticated, kind: 'call' })
  const session =
    ticket.token === '' ? null : await stores.realtimeSessions.findByTokenHash(hashToken(ticket.token))
  if (session === null) return invalid('The session token is missing or unknown. Create a new session.')
  if (session.state === 'consumed')
    return new DomainError(
      'RealtimeSessionAlreadyUsed',
      'The session token was already used. Create a new session.',
    )
  if (!fits(session, ticket)) return mismatch()
  if (session.endRequestedAt !== null)
    return invalid('The session was ended before it started. Create a new session.')
  if (Date.parse(session.expiresAt) <= clock.now().getTime())
    return new DomainError(
      'RealtimeSessionExpired',
      'The session token has expired. Create a new session and connect at once.',
    )
  requireAccessMode(settings, session.setup.accessMode)
  const { organizationId, agentId, setup } = session
  const found = await stores.connections.findWithAgent(organizationId, setup.connectionId, agentId)
  await usableModels(stores, settings, { session, found })
  await requireBudget({ clock }, stores, session)
  // The token stays valid, so that the client can use it after another session has ended.
  const amounts = await stores.organizationUsage.amounts(organizationId, ['sessions'])
  if ((amounts.get('sessions') ?? 0) >= limits.maxima.sessions) return limits.refusal('sessions')
  return new DomainError('UpgradeRequired', 'The token is valid. Open this address as a WebSocket.')
}

async function prepare(
  {
    database,
    clock,
    cipher,
    settings,
  }: Omit<AcceptDependencies, 'database'> & { readonly database: OwnedDatabase },
  { session, isConversationBlank, found }: ConsumedSession,
): Promise<Pick<AcceptedSession, 'session' | 'candidates' | 'history' | 'adopted'>> {
  const [first, ...fallbacks] = await usableModels(database.stores, settings, { session, found })
  const { setup, history, adopted } = isConversationBlank
    ? { setup: session.setup, history: [], adopted: [] }
    : await readConversation(database, clock, session)
  const candidateOf = (usable: UsableModel) => openCandidate(usable, session, cipher)
  return {
    session: { ...session, setup },
    candidates: [candidateOf(first), ...fallbacks.map(candidateOf)],
    history,
    adopted,
  }
}

function openCandidate(
  { model, connection, spoken }: UsableModel,
  { organizationId }: RealtimeSessionRecord,
  cipher: Cipher,
): ProviderCandidate {
  const { kind, isFromEnvironment } = connection
  const voicedModel = spoken === null ? null : openChatSource(spoken, cipher)
  return {
    model,
    models: sessionModels(connection, model, voicedModel),
    target: {
      ...{ organizationId, kind, isFromEnvironment, voicedModel },
      address: connectionAddress(connection) ?? '',
      apiKey: openApiKey(connection, cipher),
      model: model.model,
    },
  }
}

/** Reads the conversation at the start of the session. */
async function readConversation(
  database: OwnedDatabase,
  clock: Clock,
  session: RealtimeSessionRecord,
): Promise<Pick<AcceptedSession, 'history' | 'adopted'> & { readonly setup: SessionSetup }> {
  const { conversations, files: stored } = database.stores
  const { conversationId } = session
  const adopted = await adoptCalls(database, clock, session)
  const summary = await conversations.findSummary(conversationId)
  const files = await stored.ofConversation(conversationId, clock.now().toISOString())
  const setup = files.length > 0 ? searchingFiles(session.setup) : session.setup
  const history = historyItems({
    messages: await conversations.recentMessages(conversationId, historyLimits.messages),
    adopted,
    summary: summary?.content ?? null,
    files,
    fileSearchName: fileSearchName(setup.backendTools),
  })
  return { setup, history, adopted }
}

/**
 * Returns the models of a session. If the engine only provides the voice for a chat model, the chat model
 * gives the answers.
 */
function sessionModels(
  { id, kind }: ConnectionRecord,
  { model, transcriptionModel }: SessionModel,
  voicedModel: ChatTarget | null,
): SessionModels {
  const connection = { connectionId: id, kind }
  return {
    response:
      voicedModel === null ? { ...connection, model } : { ...chatModelOf(voicedModel), isVoiced: true },
    transcription: { ...connection, model: transcriptionModel },
  }
}

interface UsableModel {
  readonly model: SessionModel
  readonly connection: ConnectionRecord
  /** The text model that the engine provides the voice for, or null. */
  readonly spoken: ChatSource | null
}

/**
 * Checks the agent and the connections again, because they may have been deleted or disabled since the session was
 * created. Throws if no model is left.
 */
async function usableModels(
  stores: Stores,
  settings: RealtimeDefaults,
  { session, found }: Pick<ConsumedSession, 'session' | 'found'>,
): Promise<[UsableModel, ...UsableModel[]]> {
  if (found === null) throw invalid('The agent was deleted.')
  const { connectionId, model, transcriptionModel, voice, firstMessage, fallbacks = [] } = session.setup
  const first: SessionModel = { connectionId, model, transcriptionModel, voice, firstMessage }
  return usableOnes<SessionModel, UsableModel>([first, ...fallbacks], async (model) => {
    const stored =
      model.connectionId === connectionId
        ? found.connection
        : await stores.connections.find(session.organizationId, model.connectionId)
    const connection = requireRealtime(stored)
    requireModel(connection, model.model, settings)
    return { model, connection, spoken: await requireVoicedModel(stores, connection, found) }
  })
}

function requireFit(session: RealtimeSessionRecord, ticket: PresentedTicket): void {
  if (!fits(session, ticket)) throw mismatch()
}

function fits(session: RealtimeSessionRecord, ticket: PresentedTicket): boolean {
  return (
    session.agentId === ticket.agentId.toLowerCase() &&
    session.conversationId === ticket.conversationId.toLowerCase()
  )
}

const invalid = (detail: string) => new DomainError('RealtimeSessionInvalid', detail)
const mismatch = () =>
  invalid('The session token does not belong to this agent and conversation. Create a new session.')
