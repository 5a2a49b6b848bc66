import { and, asc, desc, eq, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { McpAuthorizationRecord, McpAuthorizationStore } from '../../ports/agent-stores.js'
import type { Handle } from './handle.js'
import { mcpAuthorization } from './mcp-schema.js'
import { resourceStore } from './resource-store.js'

export function makeMcpAuthorizationStore(handle: Handle): McpAuthorizationStore {
  const { id, organizationId, serverUrl, state, sealedGrant, renewingUntil } = mcpAuthorization
  return {
    ...resourceStore<McpAuthorizationRecord, Record<string, never>>(handle, mcpAuthorization, {
      matching: () => [],
    }),

    async findByServer(ownerId, url) {
      const isOne = and(eq(organizationId, ownerId), eq(serverUrl, url), isNotNull(sealedGrant))
      const [row] = await handle
        .select()
        .from(mcpAuthorization)
        .where(isOne)
        // Rows are sorted by state, because `authorized` sorts before `expired`.
        .orderBy(asc(state), desc(id))
        .limit(1)
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
