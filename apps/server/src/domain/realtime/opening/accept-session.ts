import { connectionAddress } from '@parley/contract'
import type { AgentRecord, ConnectionRecord } from '../../../ports/agent-stores.js'
import { type Database, type OwnedDatabase, type Stores, unauthenticated } from '../../../ports/database.js'
import type { ProviderTarget } from '../../../ports/realtime-provider.js'
import type {
  ConsumedSession,
  ConsumedToken,
  RealtimeSessionRecord,
  SessionModel,
  SessionSetup,
  StartedSession,
} from '../../../ports/realtime-stores.js'
import type { ChainKeys, Cipher } from '../../../ports/secrets.js'
import type { ApprovalRecord } from '../../../ports/task-stores.js'
import type { Clock, Timers } from '../../../ports/time.js'
import { type ChatSource, openApiKey, openChatSource } from '../../connections/chat-target.js'
import { DomainError } from '../../domain-error.js'
import {
  limitedClient,
  limitedEndUser,
  limitsSessions,
  requireSessionRoom,
} from '../../end-users/end-user-limits.js'
import { loadNotes, planMemory } from '../../end-users/memory-notes.js'
import type { Limits } from '../../limits/organization-limits.js'
import { hashToken } from '../../new-id.js'
import { adoptCalls } from '../../tools/approvals/unattended-calls.js'
import { fileSearchName } from '../../tools/catalog/tool-catalog.js'
import { requireBudget, requireReservation } from '../../usage/budgets/reserve-budget.js'
import { type DayLimit, dayLimitOf } from '../../usage/day-limit.js'
import { chatModelOf, type UsedModel } from '../../usage/model-use.js'
import type { MadeCall } from '../calls/call-reader.js'
import { type ConversationPast, type HistoryItem, historyItems, historyLimits } from './history.js'
import {
  type AccessSettings,
  type RealtimeDefaults,
  requireAccessMode,
  requireBackendModel,
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
  /** The network of the client, or null if the client has disconnected. */
  readonly network: string | null
}

/** The models of a session, for usage accounting. */
export interface SessionModels {
  readonly response: UsedModel
  readonly transcription: UsedModel
  /** The text model that uses the tokens of responses, if it is another one than the voice. */
  readonly backend?: UsedModel
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
  /** The daily limit of the end user or client, or null if there is none. */
  readonly dayLimit: DayLimit | null
  readonly history: readonly HistoryItem[]
  /** Waiting calls of earlier sessions. The history contains them without an output. */
  readonly adopted: readonly ApprovalRecord[]
  /** Reads the conversation again, with the calls of this session that have no output. */
  readonly readHistory: (calls: readonly MadeCall[]) => Promise<readonly HistoryItem[]>
}

export interface AcceptDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly limits: Limits
  readonly timers: Timers
  readonly cipher: Cipher
  readonly chainKeys: ChainKeys
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
  const wanted = {
    tokenHash: hashToken(ticket.token),
    now,
    instanceId,
    maxRunning: limits.maxima.sessions,
  }
  const unlimited = await unknown.stores.realtimeSessions.consume(wanted)
  const admitted =
    unlimited === null
      ? await consumeLimited(dependencies, ticket, wanted)
      : { started: unlimited, dayLimit: null }
  const startedAt = timers.monotonic()
  if (admitted === null) throw await explainToken(dependencies, ticket)
  const { started, dayLimit } = admitted
  const own = database.ownedBy({ organizationId: started.session.organizationId, kind: 'call' })
  try {
    requireFit(started.session, ticket)
    requireAccessMode(dependencies.settings, started.session.setup.accessMode)
    if (started.hasOrganizationBudgets) {
      const { id, organizationId, agentId, apiKeyId } = started.session
      const work = { sourceId: id, organizationId, agentId, apiKeyId }
      await own.transaction((stores) => requireReservation({ clock }, stores, work, 'running'))
    }
    const prepared = await prepare({ ...dependencies, database: own }, started)
    return { ...started, startedAt, dayLimit, ...prepared }
  } catch (error) {
    await own.stores.realtimeSessions.end(started.session.id, 'refused', now)
    throw error
  }
}

interface LimitedSession {
  readonly started: ConsumedSession
  readonly dayLimit: DayLimit | null
}

/**
 * Consumes the token of a session whose agent limits end users. Throws if a limit is reached; the token stays valid.
 * Returns null if the token is invalid for another reason.
 */
async function consumeLimited(
  { database, clock, chainKeys }: AcceptDependencies,
  { network }: PresentedTicket,
  wanted: ConsumedToken,
): Promise<LimitedSession | null> {
  const unknown = database.ownedBy({ organizationId: unauthenticated, kind: 'call' })
  const session = await unknown.stores.realtimeSessions.findByTokenHash(wanted.tokenHash)
  if (session === null || session.state === 'consumed') return null
  const own = database.ownedBy({ organizationId: session.organizationId, kind: 'call' })
  return own.transaction(async (stores) => {
    const limited = await findLimited({ chainKeys }, stores, { session, network })
    if (limited !== null) {
      await stores.endUsers.lockLimited(limited.limitedId)
      await requireSessionRoom({ clock }, stores, limited)
    }
    const checked = { limitedId: limited?.limitedId ?? null }
    const started = await stores.realtimeSessions.consume({ ...wanted, checked })
    if (started === null) return null
    return { started, dayLimit: limited && dayLimitOf(limited.agent, limited.limitedId) }
  })
}

interface LimitedTicket {
  readonly session: RealtimeSessionRecord
  readonly network: string | null
}

/**
 * Returns the id under which the limits of the agent count the session, or null if they do not count it. Sessions
 * without an end user are counted by client, except those of members in the console.
 */
async function findLimited(
  { chainKeys }: Pick<AcceptDependencies, 'chainKeys'>,
  stores: Stores,
  { session: { organizationId, agentId, endUserId, setup, rehearsal }, network }: LimitedTicket,
): Promise<{ readonly agent: AgentRecord; readonly limitedId: string } | null> {
  const agent = await stores.agents.find(organizationId, agentId)
  if (agent === null || rehearsal || !limitsSessions(agent)) return null
  if (endUserId !== null) return { agent, limitedId: limitedEndUser(agentId, endUserId) }
  if (setup.accessMode === 'console') return null
  return { agent, limitedId: limitedClient(chainKeys, agentId, network) }
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
    chainKeys,
  }: Pick<AcceptDependencies, 'database' | 'clock' | 'limits' | 'settings' | 'chainKeys'>,
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
  const limited = await findLimited({ chainKeys }, stores, { session, network: ticket.network })
  if (limited !== null) await requireSessionRoom({ clock }, stores, limited)
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
): Promise<Pick<AcceptedSession, 'session' | 'candidates' | 'history' | 'adopted' | 'readHistory'>> {
  const [first, ...fallbacks] = await usableModels(database.stores, settings, { session, found })
  const notes = await notesFor(clock, database.stores, session)
  const { setup, history, adopted } =
    isConversationBlank && notes === null
      ? { setup: session.setup, history: [], adopted: [] }
      : await readConversation(database, clock, { session, notes })
  const candidateOf = (usable: UsableModel) => openCandidate(usable, session, cipher)
  const prepared = { ...session, setup }
  return {
    session: prepared,
    readHistory: async (madeCalls) =>
      historyItems({
        ...(await readPast(database, clock, { session: prepared, notes })),
        adopted: [],
        madeCalls,
      }),
    candidates: [candidateOf(first), ...fallbacks.map(candidateOf)],
    history,
    adopted,
  }
}

function openCandidate(
  { model, connection, spoken, backendModel }: UsableModel,
  { organizationId }: RealtimeSessionRecord,
  cipher: Cipher,
): ProviderCandidate {
  const { kind, isFromEnvironment } = connection
  const voicedModel = spoken === null ? null : openChatSource(spoken, cipher)
  return {
    model,
    models: sessionModels(connection, model, { voicedModel, backendModel }),
    target: {
      organizationId,
      kind,
      isFromEnvironment,
      voicedModel,
      backendModel,
      address: connectionAddress(connection) ?? '',
      apiKey: openApiKey(connection, cipher),
      model: model.model,
    },
  }
}

/** Returns what the agent remembers about the end user, and plans to remember this conversation as well. */
async function notesFor(
  clock: Clock,
  stores: Stores,
  { organizationId, conversationId, agentId, endUserId, setup, rehearsal }: RealtimeSessionRecord,
): Promise<string | null> {
  if (setup.remembers !== true || endUserId === null) return null
  if (!rehearsal) await planMemory(clock, stores, { organizationId, conversationId })
  return loadNotes(stores, { endUserId, agentId })
}

/** Reads the conversation at the start of the session. */
async function readConversation(
  database: OwnedDatabase,
  clock: Clock,
  { session, notes }: { readonly session: RealtimeSessionRecord; readonly notes: string | null },
): Promise<Pick<AcceptedSession, 'history' | 'adopted'> & { readonly setup: SessionSetup }> {
  const adopted = await adoptCalls(database, clock, session)
  const past = await readPast(database, clock, { session, notes })
  const setup = past.files.length > 0 ? searchingFiles(session.setup) : session.setup
  const history = historyItems({ ...past, adopted, fileSearchName: fileSearchName(setup.backendTools) })
  return { setup, history, adopted }
}

async function readPast(
  { stores }: OwnedDatabase,
  clock: Clock,
  { session, notes }: { readonly session: RealtimeSessionRecord; readonly notes: string | null },
): Promise<Omit<ConversationPast, 'adopted'>> {
  const { conversationId, setup } = session
  const summary = await stores.conversations.findSummary(conversationId)
  return {
    files: await stores.files.ofConversation(conversationId, clock.now().toISOString()),
    messages: await stores.conversations.recentMessages(conversationId, historyLimits.messages),
    summary: summary?.content ?? null,
    notes,
    fileSearchName: fileSearchName(setup.backendTools),
  }
}

/**
 * Returns the models of a session. If the engine only provides the voice for a chat model, the chat model
 * gives the answers.
 */
function sessionModels(
  { id, kind }: ConnectionRecord,
  { model, transcriptionModel }: SessionModel,
  { voicedModel, backendModel }: Pick<ProviderTarget, 'voicedModel' | 'backendModel'>,
): SessionModels {
  const connection = { connectionId: id, kind }
  return {
    response:
      voicedModel === null ? { ...connection, model } : { ...chatModelOf(voicedModel), isVoiced: true },
    ...(backendModel !== null && { backend: { ...connection, model: backendModel } }),
    transcription: { ...connection, model: transcriptionModel },
  }
}

interface UsableModel {
  readonly model: SessionModel
  readonly connection: ConnectionRecord
  /** The text model that the engine provides the voice for, or null. */
  readonly spoken: ChatSource | null
  /** The text model behind a voice of GPT-Live, or null. */
  readonly backendModel: string | null
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
    const agentModel = model.connectionId === connectionId ? found.model : null
    return {
      model,
      connection,
      backendModel: requireBackendModel(connection, model.model, agentModel),
      spoken: await requireVoicedModel(stores, connection, found),
    }
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
