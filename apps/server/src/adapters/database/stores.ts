import type { Stores } from '../../ports/database.js'
import { makeAgentRevisionStore } from './agent-revision-store.js'
import { makeAgentStore } from './agent-store.js'
import { makeAgentTestRunStore } from './agent-test-run-store.js'
import { makeAgentTestStore } from './agent-test-store.js'
import { makeApiKeyStore } from './api-key-store.js'
import { makeApprovalStore } from './approval-store.js'
import { type AuditParts, makeAuditStore } from './audit-store.js'
import { makeBudgetStore } from './budget-store.js'
import { makeChangeStore } from './change-store.js'
import { makeConnectionStore } from './connection-store.js'
import { makeConversationStore } from './conversation-store.js'
import { makeEndUserDataStore } from './end-user-data-store.js'
import { makeEndUserStore } from './end-user-store.js'
import { makeErasureStore } from './erasure-store.js'
import { makeFileStore } from './file-store.js'
import type { Handle } from './handle.js'
import { makeIdempotencyStore } from './idempotency-store.js'
import { makeInstallationStore } from './installation-store.js'
import { makeInstanceLeaseStore } from './instance-lease-store.js'
import { makeMcpAuthorizationStore } from './mcp-authorization-store.js'
import { makeMcpGrantStore } from './mcp-grant-store.js'
import { makeMcpListingStore } from './mcp-listing-store.js'
import { makeInvitationStore, makeMemberStore } from './member-store.js'
import { makeEndUserFactStore, makeMemoryPlanStore } from './memory-store.js'
import { makeOrganizationDataStore } from './organization-data-store.js'
import { makeOrganizationUsageStore } from './organization-usage-store.js'
import { makePersonStore } from './person-store.js'
import { makePhoneCallStore } from './phone-call-store.js'
import { makePhoneConnectionStore, makePhoneNumberStore } from './phone-store.js'
import { makePriceStore } from './price-store.js'
import { makeRealtimeSessionStore } from './realtime-session-store.js'
import { makeRealtimeExchangeStore, makeRealtimeStatisticsStore } from './realtime-statistics-store.js'
import { makeRetentionStore } from './retention-store.js'
import { makeSignInAttemptsStore } from './sign-in-attempts-store.js'
import { makeTaskStore } from './task-store.js'
import { makeTurnStore } from './turn-store.js'
import { makeUsageLedger } from './usage-ledger.js'
import { makeWebhookDeliveryStore } from './webhook-delivery-store.js'
import { makeWebhookEventStore } from './webhook-event-store.js'
import { makeWebhookStore } from './webhook-store.js'

export function makeStores(handle: Handle, audit: AuditParts): Stores {
  return new LazyStores(handle, audit)
}

/**
 * Creates each store on first use, because a caller uses only two or three of them and each transaction has
 * its own.
 */
class LazyStores implements Stores {
  readonly #handle: Handle
  readonly #auditParts: AuditParts
  readonly #made = new Map<unknown, unknown>()

  constructor(handle: Handle, audit: AuditParts) {
    this.#handle = handle
    this.#auditParts = audit
  }

  get agentRevisions() {
    return this.#once(makeAgentRevisionStore)
  }

  get agentTestRuns() {
    return this.#once(makeAgentTestRunStore)
  }

  get agentTests() {
    return this.#once(makeAgentTestStore)
  }

  get agents() {
    return this.#once(makeAgentStore)
  }

  get apiKeys() {
    return this.#once(makeApiKeyStore)
  }

  get approvals() {
    return this.#once(makeApprovalStore)
  }

  get audit() {
    return this.#once(makeAuditStore)
  }

  get budgets() {
    return this.#once(makeBudgetStore)
  }

  get changes() {
    return this.#once(makeChangeStore)
  }

  get connections() {
    return this.#once(makeConnectionStore)
  }

  get conversations() {
    return this.#once(makeConversationStore)
  }

  get endUserFacts() {
    return this.#once(makeEndUserFactStore)
  }

  get endUserData() {
    return this.#once(makeEndUserDataStore)
  }

  get endUsers() {
    return this.#once(makeEndUserStore)
  }

  get erasures() {
    return this.#once(makeErasureStore)
  }

  get files() {
    return this.#once(makeFileStore)
  }

  get idempotency() {
    return this.#once(makeIdempotencyStore)
  }

  get installation() {
    return this.#once(makeInstallationStore)
  }

  get instanceLeases() {
    return this.#once(makeInstanceLeaseStore)
  }

  get invitations() {
    return this.#once(makeInvitationStore)
  }

  get mcpAuthorizations() {
    return this.#once(makeMcpAuthorizationStore)
  }

  get mcpGrants() {
    return this.#once(makeMcpGrantStore)
  }

  get mcpListings() {
    return this.#once(makeMcpListingStore)
  }

  get members() {
    return this.#once(makeMemberStore)
  }

  get organizationData() {
    return this.#once(makeOrganizationDataStore)
  }

  get organizationUsage() {
    return this.#once(makeOrganizationUsageStore)
  }

  get memoryPlans() {
    return this.#once(makeMemoryPlanStore)
  }

  get people() {
    return this.#once(makePersonStore)
  }

  get phoneCalls() {
    return this.#once(makePhoneCallStore)
  }

  get phoneConnections() {
    return this.#once(makePhoneConnectionStore)
  }

  get phoneNumbers() {
    return this.#once(makePhoneNumberStore)
  }

  get prices() {
    return this.#once(makePriceStore)
  }

  get realtimeExchanges() {
    return this.#once(makeRealtimeExchangeStore)
  }

  get realtimeSessions() {
    return this.#once(makeRealtimeSessionStore)
  }

  get realtimeStatistics() {
    return this.#once(makeRealtimeStatisticsStore)
  }

  get retention() {
    return this.#once(makeRetentionStore)
  }

  get signInAttempts() {
    return this.#once(makeSignInAttemptsStore)
  }

  get tasks() {
    return this.#once(makeTaskStore)
  }

  get turns() {
    return this.#once(makeTurnStore)
  }

  get usageLedger() {
    return this.#once(makeUsageLedger)
  }

  get webhookDeliveries() {
    return this.#once(makeWebhookDeliveryStore)
  }

  get webhookEvents() {
    return this.#once(makeWebhookEventStore)
  }

  get webhooks() {
    return this.#once(makeWebhookStore)
  }

  /** The key is the function that creates the store, so the value has the type of its result. */
  #once<Store>(make: (handle: Handle, audit: AuditParts) => Store): Store {
    const cached = this.#made.get(make) as Store | undefined
    if (cached !== undefined) return cached
    const made = make(this.#handle, this.#auditParts)
    this.#made.set(make, made)
    return made
  }
}
