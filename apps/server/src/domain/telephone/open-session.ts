import type { RealtimeSessionRequest } from '@parley/contract'
import type { AgentRecord } from '../../ports/agent-stores.js'
import type { Stores } from '../../ports/database.js'
import type { PhoneCallRecord } from '../../ports/phone-stores.js'
import type { RealtimeProvider } from '../../ports/realtime-provider.js'
import type { Tracing } from '../../ports/tracing.js'
import { systemCaller } from '../caller-scope.js'
import { notFound } from '../domain-error.js'
import { type AcceptDependencies, acceptSession } from '../realtime/opening/accept-session.js'
import { createRealtimeSession, type RealtimeSettings } from '../realtime/opening/create-session.js'
import { greetingOf } from '../realtime/opening/history.js'
import type { RunningSessions } from '../realtime/session/running-sessions.js'
import type { McpToolListings } from '../tools/catalog/tool-catalog.js'
import { phoneTools } from './phone-tools.js'
import type { SessionClient } from './session-client.js'

export interface OpenSessionDependencies extends AcceptDependencies {
  readonly tracing: Tracing
  readonly settings: RealtimeSettings
  readonly sessions: RunningSessions
  readonly provider: RealtimeProvider
  readonly discoverMcpTools: (agent: AgentRecord) => Promise<McpToolListings>
}

export interface OpenedSession {
  readonly conversationId: string
  readonly realtimeSessionId: string
  readonly endUserId: string | null
  /** Whether the agent speaks first without being asked to. */
  readonly greets: boolean
  /** The tools of the telephone that the model has. */
  readonly toolNames: readonly string[]
}

interface OpenOptions {
  readonly client: SessionClient
  readonly codec: string
  /** Whether the other party has heard nothing yet. Later sessions continue the conversation. */
  readonly isFirst: boolean
}

/** The codecs of telephone legs. They are independent of the formats that the deployment offers to clients. */
const codecs = ['g711_ulaw', 'g711_alaw']

/**
 * Opens a realtime session for a call, with this process as its client. Throws a DomainError if the agent cannot talk at
 * the moment.
 */
export async function openSession(
  dependencies: OpenSessionDependencies,
  call: PhoneCallRecord,
  { client, codec, isFirst }: OpenOptions,
): Promise<OpenedSession> {
  const { database, clock, limits, tracing, settings, sessions, provider, discoverMcpTools } = dependencies
  const { organizationId, agentId, setup } = call
  const { language = null } = setup
  const caller = systemCaller(organizationId)
  const owned = database.ownedBy({ organizationId, kind: 'call' })
  const agent = await owned.stores.agents.find(organizationId, agentId)
  if (agent === null) throw notFound('Agent')
  const clientTools = phoneTools(agent, setup.transferTargets)
  const request: RealtimeSessionRequest = {
    conversationId: call.conversationId,
    inputAudioFormat: codec,
    outputAudioFormat: codec,
    additionalInstructions: instructionsOf(call),
    clientTools,
    approvedBy: 'either',
    rehearsal: null,
    metadata: {},
    variables: {},
    // The conversation of an outgoing call has its end user already.
    externalUserId: call.conversationId === null ? await externalIdOf(owned.stores, call) : null,
  }
  const create = (listings: McpToolListings | null) =>
    owned.transaction((stores) =>
      createRealtimeSession(
        { clock, limits, tracing, settings: { ...settings, inputFormats: codecs, outputFormats: codecs } },
        { stores, caller },
        {
          agentId,
          request,
          listings,
          telephone: { greeting: setup.greeting, turnDetection: setup.turnDetection, language },
        },
      ),
    )
  let created = await create(null)
  if (!created.ok) created = await create(await discoverMcpTools(created.agent))
  if (!created.ok) throw new Error('A session with listed tools requested the list again.')
  const { conversationId, sessionId: token } = created.ticket
  const accepted = await acceptSession(dependencies, { agentId, conversationId, token, network: null })
  sessions.start({
    ...accepted,
    client: client.socket,
    clientAddress: null,
    isCall: true,
    connect: provider.connect,
  })
  const { id: realtimeSessionId, endUserId } = accepted.session
  const { firstMessage } = accepted.session.setup
  const greets = isFirst && greetingOf(accepted.session.setup, accepted.history) !== null
  // Another instance has prepared the call, and its greeting was not heard.
  if (isFirst && !greets && firstMessage) client.prepareFirstWords(firstMessage)
  const toolNames = clientTools.map(({ name }) => name)
  return { conversationId, realtimeSessionId, endUserId, greets, toolNames }
}

/**
 * Returns the external ID of the caller: that of the only end user with this number in the metadata, or else the number
 * itself. Returns null if the number is unknown.
 */
async function externalIdOf(
  { endUsers }: Stores,
  { organizationId, from }: PhoneCallRecord,
): Promise<string | null> {
  if (from === null) return null
  const page = { offset: 0, limit: 2 }
  const { items } = await endUsers.list(organizationId, { metadata: [['phoneNumber', from]] }, page)
  const [only] = items
  return only !== undefined && items.length === 1 && only.erasureStartedAt === null ? only.externalId : from
}

function instructionsOf({ setup, direction }: PhoneCallRecord): string {
  const situation =
    direction === 'incoming'
      ? 'You are on the telephone. The user has called you. Speak in short sentences.'
      : 'You are on the telephone. You have called the user. Speak in short sentences.'
  return [situation, setup.additionalInstructions ?? ''].filter((part) => part !== '').join('\n\n')
}
