import { and, eq } from 'drizzle-orm'
import type { McpListingStore } from '../../ports/agent-stores.js'
import type { Handle } from './handle.js'
import { mcpListing } from './mcp-schema.js'

export function makeMcpListingStore(handle: Handle): McpListingStore {
  return {
    async find(agentId, toolName, address) {
      const [row] = await handle
        .select()
        .from(mcpListing)
        .where(
          and(
            eq(mcpListing.agentId, agentId),
            eq(mcpListing.toolName, toolName),
            eq(mcpListing.address, address),
          ),
        )
      return row ?? null
    },

    async save(record) {
      const { address, tools, listedAt } = record
      await handle
        .insert(mcpListing)
        .values(record)
        .onConflictDoUpdate({
          target: [mcpListing.agentId, mcpListing.toolName],
          set: { address, tools, listedAt },
        })
    },
  }
}
