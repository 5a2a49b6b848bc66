import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ApiKeys } from '../../domain/access/api-keys.js'
import type { Agents } from '../../domain/agents/agents.js'
import type { Caller } from '../../domain/caller-scope.js'
import type { Connections } from '../../domain/connections/connections.js'
import type { Conversations } from '../../domain/conversations/conversations.js'
import type { Files } from '../../domain/files/files.js'
import type { Limits } from '../../domain/limits/organization-limits.js'
import type { LiveStreams } from '../../domain/live/live-streams.js'
import type { McpAuthorizations } from '../../domain/mcp-authorizations/mcp-authorizations.js'
import type { GrantTokens } from '../../domain/mcp-grants/grant-tokens.js'
import type { McpGrants } from '../../domain/mcp-grants/mcp-grants.js'
import type { People } from '../../domain/people/people.js'
import type { RealtimeSettings } from '../../domain/realtime/opening/create-session.js'
import type { RealtimeSessions } from '../../domain/realtime/realtime-sessions.js'
import type { Tasks } from '../../domain/tasks/tasks.js'
import type { Approvals } from '../../domain/tools/approvals/approvals.js'
import type { ToolTrialDependencies } from '../../domain/tools/try-tool.js'
import type { Questions } from '../../domain/turns/ask-question.js'
import type { Budgets } from '../../domain/usage/budgets/budgets.js'
import type { Prices } from '../../domain/usage/prices/prices.js'
import type { Usages } from '../../domain/usage/usages.js'
import type { TestWebhookDependencies } from '../../domain/webhook-deliveries/test-webhook.js'
import type { Webhooks } from '../../domain/webhooks/webhooks.js'
import type { Database } from '../../ports/database.js'
import type { Metrics } from '../../ports/metrics.js'
import type { ProviderOutbound } from '../../ports/outbound.js'
import type { FoundSession } from '../../ports/people-stores.js'
import type { RateLimiter } from '../../ports/rate-limiter.js'
import type { ChainKeys, Cipher } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import type { Tracing } from '../../ports/tracing.js'
import type { ClientAddress } from './request/client-address.js'
import type { HostCookie } from './request/host-cookie.js'

/** What the edge needs of the inside. */
export interface Services {
  readonly database: Database
  readonly clock: Clock
  readonly cipher: Cipher
  readonly chainKeys: ChainKeys
  readonly providerOutbound: ProviderOutbound
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly rateLimiter: RateLimiter
  readonly limits: Limits
  readonly clientAddress: ClientAddress
  readonly agents: Agents
  readonly apiKeys: ApiKeys
  readonly approvals: Approvals
  readonly budgets: Budgets
  readonly connections: Connections
  readonly conversations: Conversations
  readonly files: Files
  readonly live: LiveStreams
  readonly mcpAuthorizations: McpAuthorizations
  readonly mcpGrants: McpGrants
  readonly grantTokens: GrantTokens
  /** What tokens of MCP clients are for: the address of `/mcp`. */
  readonly mcpResource: () => string
  readonly people: People
  readonly prices: Prices
  readonly questions: Questions
  readonly realtimeSessions: RealtimeSessions
  readonly realtimeSettings: RealtimeSettings
  /** The token of a person's session. */
  readonly sessionCookie: HostCookie
  /** What a browser comes back from the issuer with, sealed. */
  readonly oidcCookie: HostCookie
  /** The people who have signed in from a browser, sealed. */
  readonly browserCookie: HostCookie
  readonly tasks: Tasks
  readonly usages: Usages
  readonly toolTrials: ToolTrialDependencies
  readonly webhooks: Webhooks
  readonly webhookAttempts: TestWebhookDependencies
  /** How long answers are kept under their Idempotency-Key. */
  readonly idempotencyHours: number
  /** Where callers reach this service. */
  readonly publicUrl: () => string
  /** Whether the built-in engine runs by now; it starts when somebody needs it. */
  readonly isEngineRunning: () => boolean
  /** Whether the process is on its way out and wants no new work. */
  readonly isDraining: () => boolean
  /** Whether Redis is away; null where none is configured. */
  readonly isRedisAway: (() => boolean) | null
}

export type App = FastifyInstance

const callers = new WeakMap<FastifyRequest, Caller>()

export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller)
}

/** Who sent this request. Every route of the API has passed authentication, so there always is someone. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request)
  if (!caller) throw new Error('A route without authentication asked who is calling.')
  return caller
}

/** Who sent this request; null if it was refused, or if its route asks nobody who they are. */
export function knownCallerOf(request: FastifyRequest): Caller | null {
  return callers.get(request) ?? null
}

const signedIn = new WeakMap<FastifyRequest, FoundSession>()

export function setSignedIn(request: FastifyRequest, found: FoundSession): void {
  signedIn.set(request, found)
}

/** Who makes a call of their own; null where nobody is signed in, which some of these calls allow. */
export function signedInOf(request: FastifyRequest): FoundSession | null {
  return signedIn.get(request) ?? null
}
