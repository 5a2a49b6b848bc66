import { eq } from 'drizzle-orm'
import type { AgentTestFilter, AgentTestRecord, AgentTestStore } from '../../ports/agent-test-stores.js'
import { agentTest } from './agent-test-schema.js'
import type { Handle } from './handle.js'
import { resourceStore } from './resource-store.js'

export function makeAgentTestStore(handle: Handle): AgentTestStore {
  return {
    ...resourceStore<AgentTestRecord, AgentTestFilter>(handle, agentTest, {
      matching: ({ agentId }) => [agentId === undefined ? undefined : eq(agentTest.agentId, agentId)],
    }),

    async removeAll(agentId) {
      await handle.delete(agentTest).where(eq(agentTest.agentId, agentId))
    },
  }
}
