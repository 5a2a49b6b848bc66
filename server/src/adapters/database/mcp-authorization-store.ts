import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { McpAuthorizationRecord, McpAuthorizationStore } from '../../ports/mcp-authorization-store.js'
import type { Handle } from './handle.js'
import { mcpAuthorization } from './mcp-schema.js'
import { resourceStore } from './resource-table.js'

export function makeMcpAuthorizationStore(handle: Handle): McpAuthorizationStore {
  const { id, organizationId, serverUrl, renewingUntil } = mcpAuthorization
  return {
    ...resourceStore<McpAuthorizationRecord, Record<string, never>>(handle, mcpAuthorization, {
      matching: () => [],
    }),

    async findByServer(ownerId, url) {
      const isOne = and(eq(organizationId, ownerId), eq(serverUrl, url))
      const [row] = await handle.select().from(mcpAuthorization).where(isOne)
      return row ?? null
    },

    async claimRenewal(wantedId, now, until) {
      const isFree = or(isNull(renewingUntil), lt(renewingUntil, now))
      const claimed = await handle
        .update(mcpAuthorization)
        .set({ renewingUntil: until })
        .where(and(eq(id, wantedId), isFree))
      return claimed.rowCount === 1
    },
  }
}
