import type { Stores } from '../../ports/database.js'
import { makeAgentRevisionStore } from './agent-revision-store.js'
import { makeAgentStore } from './agent-store.js'
import { makeApiKeyStore } from './api-key-store.js'
import { makeApprovalStore } from './approval-store.js'
import { type AuditParts, makeAuditStore } from './audit-store.js'
import { makeBudgetStore } from './budget-store.js'
import { makeChangeStore } from './change-store.js'
import { makeConnectionStore } from './connection-store.js'
import { makeConversationStore } from './conversation-store.js'
import { makeFileStore } from './file-store.js'
import type { Handle } from './handle.js'
import { makeIdempotencyStore } from './idempotency-store.js'
import { makeInstallationStore } from './installation-store.js'
import { makeInstanceLeaseStore } from './instance-lease-store.js'
import { makeMcpAuthorizationStore } from './mcp-authorization-store.js'
import { makeMcpGrantStore } from './mcp-grant-store.js'
import { makeMcpListingStore } from './mcp-listing-store.js'
import { makeInvitationStore, makeMemberStore } from './member-store.js'
import { makeOrganizationDataStore } from './organization-data-store.js'
import { makeOrganizationUsageStore } from './organization-usage-store.js'
import { makePersonStore } from './person-store.js'
import { makePriceStore } from './price-store.js'
import { makeRealtimeExchangeStore } from './realtime-exchange-store.js'
import { makeRealtimeSessionStore } from './realtime-session-store.js'
import { makeRealtimeStatisticsStore } from './realtime-statistics-store.js'
import { makeRetentionStore } from './retention-store.js'
import { makeSignInTriesStore } from './sign-in-tries-store.js'
import { makeTaskStore } from './task-store.js'
import { makeTurnStore } from './turn-store.js'
import { makeUsageLedger } from './usage-ledger.js'
import { makeWebhookDeliveryStore } from './webhook-delivery-store.js'
import { makeWebhookEventStore } from './webhook-event-store.js'
import { makeWebhookStore } from './webhook-store.js'

/** The stores on a handle. */
export function makeStores(handle: Handle, audit: AuditParts): Stores {
  return new LazyStores(handle, audit)
}

/**
 * Makes each store when it is first asked for. Whoever has stores uses two or three of them: to
 * make all took 7 % of the time of the event loop while one organization asked 400 questions at once.
 */
class LazyStores implements Stores {
  readonly #handle: Handle
  readonly #auditParts: AuditParts
  #agentRevisions: Stores['agentRevisions'] | undefined
  #agents: Stores['agents'] | undefined
  #apiKeys: Stores['apiKeys'] | undefined
  #approvals: Stores['approvals'] | undefined
  #audit: Stores['audit'] | undefined
  #budgets: Stores['budgets'] | undefined
  #changes: Stores['changes'] | undefined
  #connections: Stores['connections'] | undefined
  #conversations: Stores['conversations'] | undefined
  #files: Stores['files'] | undefined
  #idempotency: Stores['idempotency'] | undefined
  #installation: Stores['installation'] | undefined
  #instanceLeases: Stores['instanceLeases'] | undefined
  #invitations: Stores['invitations'] | undefined
  #mcpAuthorizations: Stores['mcpAuthorizations'] | undefined
  #mcpGrants: Stores['mcpGrants'] | undefined
  #mcpListings: Stores['mcpListings'] | undefined
  #members: Stores['members'] | undefined
  #organizationData: Stores['organizationData'] | undefined
  #organizationUsage: Stores['organizationUsage'] | undefined
  #people: Stores['people'] | undefined
  #prices: Stores['prices'] | undefined
  #realtimeExchanges: Stores['realtimeExchanges'] | undefined
  #realtimeSessions: Stores['realtimeSessions'] | undefined
  #realtimeStatistics: Stores['realtimeStatistics'] | undefined
  #retention: Stores['retention'] | undefined
  #signInTries: Stores['signInTries'] | undefined
  #tasks: Stores['tasks'] | undefined
  #turns: Stores['turns'] | undefined
  #usageLedger: Stores['usageLedger'] | undefined
  #webhookDeliveries: Stores['webhookDeliveries'] | undefined
  #webhookEvents: Stores['webhookEvents'] | undefined
  #webhooks: Stores['webhooks'] | undefined

  constructor(handle: Handle, audit: AuditParts) {
    this.#handle = handle
    this.#auditParts = audit
  }

  get agentRevisions() {
    this.#agentRevisions ??= makeAgentRevisionStore(this.#handle)
    return this.#agentRevisions
  }

  get agents() {
    this.#agents ??= makeAgentStore(this.#handle)
    return this.#agents
  }

  get apiKeys() {
    this.#apiKeys ??= makeApiKeyStore(this.#handle)
    return this.#apiKeys
  }

  get approvals() {
    this.#approvals ??= makeApprovalStore(this.#handle)
    return this.#approvals
  }

  get audit() {
    this.#audit ??= makeAuditStore(this.#handle, this.#auditParts)
    return this.#audit
  }

  get budgets() {
    this.#budgets ??= makeBudgetStore(this.#handle)
    return this.#budgets
  }

  get changes() {
    this.#changes ??= makeChangeStore(this.#handle)
    return this.#changes
  }

  get connections() {
    this.#connections ??= makeConnectionStore(this.#handle)
    return this.#connections
  }

  get conversations() {
    this.#conversations ??= makeConversationStore(this.#handle)
    return this.#conversations
  }

  get files() {
    this.#files ??= makeFileStore(this.#handle)
    return this.#files
  }

  get idempotency() {
    this.#idempotency ??= makeIdempotencyStore(this.#handle)
    return this.#idempotency
  }

  get installation() {
    this.#installation ??= makeInstallationStore(this.#handle)
    return this.#installation
  }

  get instanceLeases() {
    this.#instanceLeases ??= makeInstanceLeaseStore(this.#handle)
    return this.#instanceLeases
  }

  get invitations() {
    this.#invitations ??= makeInvitationStore(this.#handle)
    return this.#invitations
  }

  get mcpAuthorizations() {
    this.#mcpAuthorizations ??= makeMcpAuthorizationStore(this.#handle)
    return this.#mcpAuthorizations
  }

  get mcpGrants() {
    this.#mcpGrants ??= makeMcpGrantStore(this.#handle)
    return this.#mcpGrants
  }

  get mcpListings() {
    this.#mcpListings ??= makeMcpListingStore(this.#handle)
    return this.#mcpListings
  }

  get members() {
    this.#members ??= makeMemberStore(this.#handle)
    return this.#members
  }

  get organizationData() {
    this.#organizationData ??= makeOrganizationDataStore(this.#handle)
    return this.#organizationData
  }

  get organizationUsage() {
    this.#organizationUsage ??= makeOrganizationUsageStore(this.#handle)
    return this.#organizationUsage
  }

  get people() {
    this.#people ??= makePersonStore(this.#handle)
    return this.#people
  }

  get prices() {
    this.#prices ??= makePriceStore(this.#handle)
    return this.#prices
  }

  get realtimeExchanges() {
    this.#realtimeExchanges ??= makeRealtimeExchangeStore(this.#handle)
    return this.#realtimeExchanges
  }

  get realtimeSessions() {
    this.#realtimeSessions ??= makeRealtimeSessionStore(this.#handle)
    return this.#realtimeSessions
  }

  get realtimeStatistics() {
    this.#realtimeStatistics ??= makeRealtimeStatisticsStore(this.#handle)
    return this.#realtimeStatistics
  }

  get retention() {
    this.#retention ??= makeRetentionStore(this.#handle)
    return this.#retention
  }

  get signInTries() {
    this.#signInTries ??= makeSignInTriesStore(this.#handle)
    return this.#signInTries
  }

  get tasks() {
    this.#tasks ??= makeTaskStore(this.#handle)
    return this.#tasks
  }

  get turns() {
    this.#turns ??= makeTurnStore(this.#handle)
    return this.#turns
  }

  get usageLedger() {
    this.#usageLedger ??= makeUsageLedger(this.#handle)
    return this.#usageLedger
  }

  get webhookDeliveries() {
    this.#webhookDeliveries ??= makeWebhookDeliveryStore(this.#handle)
    return this.#webhookDeliveries
  }

  get webhookEvents() {
    this.#webhookEvents ??= makeWebhookEventStore(this.#handle)
    return this.#webhookEvents
  }

  get webhooks() {
    this.#webhooks ??= makeWebhookStore(this.#handle)
    return this.#webhooks
  }
}
