import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ApiKeys } from '../../domain/access/api-keys.js'
import type { AgentTests } from '../../domain/agent-tests/agent-tests.js'
import type { TestRuns } from '../../domain/agent-tests/test-runs.js'
import type { Agents } from '../../domain/agents/agents.js'
import type { Caller } from '../../domain/caller-scope.js'
import type { Connections } from '../../domain/connections/connections.js'
import type { Conversations } from '../../domain/conversations/conversations.js'
import type { EndUserFacts } from '../../domain/end-users/end-user-facts.js'
import type { EndUsers } from '../../domain/end-users/end-users.js'
import type { Files } from '../../domain/files/files.js'
import type { Limits } from '../../domain/limits/organization-limits.js'
import type { LiveStreams } from '../../domain/live/live-streams.js'
import type { McpAuthorizations } from '../../domain/mcp-authorizations/mcp-authorizations.js'
import type { GrantTokens } from '../../domain/mcp-grants/grant-tokens.js'
import type { McpGrants } from '../../domain/mcp-grants/mcp-grants.js'
import type { People } from '../../domain/people/people.js'
import type { RealtimeSettings } from '../../domain/realtime/opening/create-session.js'
import type { RealtimeSessions } from '../../domain/realtime/realtime-sessions.js'
import type { ConversationRetentions } from '../../domain/retention/conversation-retention.js'
import type { Tasks } from '../../domain/tasks/tasks.js'
import type { PhoneCalls } from '../../domain/telephone/phone-calls.js'
import type { PhoneConnections } from '../../domain/telephone/phone-connections.js'
import type { PhoneNumbers } from '../../domain/telephone/phone-numbers.js'
import type { RunningCalls } from '../../domain/telephone/running-calls.js'
import type { Approvals } from '../../domain/tools/approvals/approvals.js'
import type { ToolTrialDependencies } from '../../domain/tools/try-tool.js'
import type { Questions } from '../../domain/turns/ask-question.js'
import type { Budgets } from '../../domain/usage/budgets/budgets.js'
import type { Prices } from '../../domain/usage/prices/prices.js'
import type { Usages } from '../../domain/usage/usages.js'
import type { TestWebhookDependencies } from '../../domain/webhook-deliveries/test-webhook.js'
import type { Webhooks } from '../../domain/webhooks/webhooks.js'
import type { AccessTokens } from '../../ports/access-tokens.js'
import type { Carriers } from '../../ports/carriers.js'
import type { Database } from '../../ports/database.js'
import type { Metrics } from '../../ports/metrics.js'
import type { ProviderOutbound } from '../../ports/outbound.js'
import type { FoundSession } from '../../ports/people-stores.js'
import type { PhoneLines } from '../../ports/phone-lines.js'
import type { RateLimiter } from '../../ports/rate-limiter.js'
import type { ChainKeys, Cipher } from '../../ports/secrets.js'
import type { Clock, Timers } from '../../ports/time.js'
import type { Tracing } from '../../ports/tracing.js'
import type { ClientAddress } from './request/client-address.js'
import type { HostCookie } from './request/host-cookie.js'

/** The dependencies of the HTTP and WebSocket code. */
export interface Services {
  readonly database: Database
  readonly clock: Clock
  readonly cipher: Cipher
  readonly chainKeys: ChainKeys
  readonly providerOutbound: ProviderOutbound
  readonly accessTokens: AccessTokens
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly rateLimiter: RateLimiter
  readonly limits: Limits
  readonly clientAddress: ClientAddress
  readonly agents: Agents
  readonly agentTests: AgentTests
  readonly apiKeys: ApiKeys
  readonly approvals: Approvals
  readonly budgets: Budgets
  readonly connections: Connections
  readonly conversations: Conversations
  readonly endUsers: EndUsers
  readonly endUserFacts: EndUserFacts
  readonly conversationRetention: ConversationRetentions
  readonly files: Files
  readonly live: LiveStreams
  readonly mcpAuthorizations: McpAuthorizations
  readonly mcpGrants: McpGrants
  readonly grantTokens: GrantTokens
  /** The resource that tokens of MCP clients are issued for: the URL of `/mcp`. */
  readonly mcpResource: () => string
  readonly people: People
  readonly phoneCalls: PhoneCalls
  /** The calls of this instance. */
  readonly calls: RunningCalls
  readonly phoneConnections: PhoneConnections
  readonly phoneNumbers: PhoneNumbers
  /** Sends requests to telephone providers. */
  readonly carriers: Carriers
  /** Tries SIP accounts. */
  readonly phoneLines: PhoneLines
  readonly timers: Timers
  readonly prices: Prices
  readonly questions: Questions
  readonly realtimeSessions: RealtimeSessions
  readonly realtimeSettings: RealtimeSettings
  /** The cookie with the token of a person's session. */
  readonly sessionCookie: HostCookie
  /** The cookie with the encrypted state of a sign-in with the identity provider. */
  readonly oidcCookie: HostCookie
  /** The cookie with the encrypted list of people who have signed in from this browser. */
  readonly browserCookie: HostCookie
  readonly tasks: Tasks
  readonly testRuns: TestRuns
  readonly usages: Usages
  readonly toolTrials: ToolTrialDependencies
  readonly webhooks: Webhooks
  readonly webhookAttempts: TestWebhookDependencies
  /** How long responses are stored under their Idempotency-Key. */
  readonly idempotencyHours: number
  /** The URL at which callers reach this service. */
  readonly publicUrl: () => string
  /** Whether the built-in engine is running. It starts on first use. */
  readonly isEngineRunning: () => boolean
  /** Whether the process is shutting down and accepts no new work. */
  readonly isDraining: () => boolean
  /** Whether Redis is unavailable. Null if Redis is not configured. */
  readonly isRedisUnavailable: (() => boolean) | null
}

export type App = FastifyInstance

const callers = new WeakMap<FastifyRequest, Caller>()

export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller)
}

/** Returns the caller of a request. Every route of the API is authenticated, so there is always one. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request)
  if (!caller) throw new Error('A route without authentication requested the caller.')
  return caller
}

/** Returns the caller, or null if the request was refused or its route does not authenticate. */
export function knownCallerOf(request: FastifyRequest): Caller | null {
  return callers.get(request) ?? null
}

const signedIn = new WeakMap<FastifyRequest, FoundSession>()

export function setSignedIn(request: FastifyRequest, found: FoundSession): void {
  signedIn.set(request, found)
}

/** Returns the signed-in person, or null. Some of these calls allow callers who are not signed in. */
export function signedInOf(request: FastifyRequest): FoundSession | null {
  return signedIn.get(request) ?? null
}
