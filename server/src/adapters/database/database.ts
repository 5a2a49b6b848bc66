import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { Database, Stores } from '../../ports/database.js'
import { makeAgentStore } from './agent-store.js'
import { makeApiKeyStore } from './api-key-store.js'
import { makeApprovalStore } from './approval-store.js'
import { makeAuditStore } from './audit-store.js'
import { makeConnectionStore } from './connection-store.js'
import { makeConversationStore } from './conversation-store.js'
import { makeFileStore } from './file-store.js'
import type { Handle } from './handle.js'
import { makeIdempotencyStore } from './idempotency-store.js'
import { makeInstallationStore } from './installation-store.js'
import { makeInstanceLeaseStore } from './instance-lease-store.js'
import { makeMcpListingStore } from './mcp-listing-store.js'
import { makeOrganizationUsageStore } from './organization-usage-store.js'
import { isOutage } from './outage.js'
import { makeRealtimeSessionStore } from './realtime-session-store.js'
import { makeRetentionStore } from './retention-store.js'
import { makeTaskStore } from './task-store.js'
import { inTransaction } from './transaction.js'
import { makeTurnStore } from './turn-store.js'
import { WorkPlaces } from './work-places.js'

/** The database on a pool of connections, PostgreSQL's or the embedded one's: from here on they are the same. */
export function makeDatabase(
  pool: pg.Pool,
  close: () => Promise<void>,
  dump: Database['dump'] = null,
): Database {
  const root = drizzle({ client: pool })
  const listeners: (() => void)[] = []
  // Whatever one organization does, half of the connections are left for the others.
  const places = new WorkPlaces({ placesOfEach: Math.ceil(pool.options.max / 2) })
  const emitChange = () => {
    for (const listener of listeners) listener()
  }
  return {
    stores: makeStores(root, emitChange),
    async transaction(work) {
      let hasChange = false
      const onAppended = () => {
        hasChange = true
      }
      const result = await inTransaction(pool, (client) => work(makeStores(drizzle({ client }), onAppended)))
      if (hasChange) emitChange()
      return result
    },
    runFairly: (owner, work) => places.run(owner, work),
    onChange: (listener) => void listeners.push(listener),
    async ping() {
      const { rows } = await root.execute("select current_setting('transaction_read_only') as answer")
      // As after a failover, when the old server has become a copy of the new one.
      if (rows[0]?.answer === 'on') throw new Error('The database takes no changes.')
    },
    dump,
    isOutage,
    close,
  }
}

/** `onAppended` is called for every audit record that was added. */
function makeStores(handle: Handle, onAppended: () => void): Stores {
  return {
    agents: makeAgentStore(handle),
    apiKeys: makeApiKeyStore(handle),
    approvals: makeApprovalStore(handle),
    audit: makeAuditStore(handle, onAppended),
    connections: makeConnectionStore(handle),
    conversations: makeConversationStore(handle),
    files: makeFileStore(handle),
    idempotency: makeIdempotencyStore(handle),
    installation: makeInstallationStore(handle),
    instanceLeases: makeInstanceLeaseStore(handle),
    mcpListings: makeMcpListingStore(handle),
    organizationUsage: makeOrganizationUsageStore(handle),
    realtimeSessions: makeRealtimeSessionStore(handle),
    retention: makeRetentionStore(handle),
    tasks: makeTaskStore(handle),
    turns: makeTurnStore(handle),
  }
}
