import { Agent, AgentInput, type AgentListQuery, type AgentPatch, type Page } from '@parley/contract'
import type { AgentRecord } from '../../ports/agent-store.js'
import type { Cipher } from '../../ports/cipher.js'
import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import type { Limits } from '../limits/organization-limits.js'
import { changedFields } from '../resources/changed-fields.js'
import { newResource } from '../resources/new-resource.js'
import {
  addResource,
  applyPatch,
  changeResource,
  listResources,
  type MeantVersion,
  readResource,
  removeResource,
} from '../resources/resource.js'
import { type KnownOutside, requireReferences } from './agent-references.js'
import { storeTools } from './tool-secrets.js'

const type = 'Agent'

export interface AgentsDependencies extends KnownOutside {
  readonly clock: Clock
  readonly limits: Limits
  readonly cipher: Cipher
}

export type Agents = ReturnType<typeof makeAgents>

export function makeAgents({ clock, limits, cipher, ...outside }: AgentsDependencies) {
  const kind = { type, clock, limits, counted: 'agents', store: (stores: Stores) => stores.agents } as const

  async function change(
    scope: CallerScope,
    { id, ifMatch, subAgentIds, inputFor }: AgentChange,
  ): Promise<AgentRecord> {
    await lockLinks(scope, subAgentIds)
    const { before, after } = await changeResource(kind, scope, {
      id,
      ifMatch,
      change: async (current) => {
        const input = inputFor(current)
        await requireReferences(outside, scope, { current, id, input })
        return { ...current, ...input, ...storeTools(current, input.tools, cipher) }
      },
    })
    const details = { changed: changedFields(before, after) }
    await recordChange(clock, scope, { action: 'agent.update', type, id, details })
    return after
  }

  return {
    list: (scope: CallerScope, query: AgentListQuery): Promise<Page<AgentRecord>> =>
      listResources(kind, scope, { query, filter: { search: query.Search } }),

    read: (scope: CallerScope, id: string) => readResource(kind, scope, id),

    async create(scope: CallerScope, input: AgentInput): Promise<AgentRecord> {
      await lockLinks(scope, input.subAgentIds)
      const resource = newResource(clock, scope.caller.organizationId)
      const { id } = resource
      await requireReferences(outside, scope, { current: null, id, input })
      const tools = storeTools({ ...resource, tools: [], toolSecrets: {} }, input.tools, cipher)
      const record = { ...resource, ...input, ...tools, deletedAt: null }
      await addResource(kind, scope, record)
      const details = { name: record.name }
      await recordChange(clock, scope, { action: 'agent.create', type, id, details })
      return record
    },

    replace: (scope: CallerScope, meant: MeantVersion, input: AgentInput) =>
      change(scope, { ...meant, subAgentIds: input.subAgentIds, inputFor: () => input }),

    patch: (scope: CallerScope, meant: MeantVersion, patch: AgentPatch) =>
      change(scope, {
        ...meant,
        subAgentIds: patch.subAgentIds ?? [],
        inputFor: (current) => applyPatch({ wire: Agent, input: AgentInput }, current, patch),
      }),

    async remove(scope: CallerScope, meant: MeantVersion): Promise<undefined> {
      const { stores, caller } = scope
      const { id, name } = await removeResource(kind, scope, meant)
      const now = clock.now().toISOString()
      await stores.realtimeSessions.requestEnd(caller.organizationId, { agentId: id }, now)
      await recordChange(clock, scope, { action: 'agent.delete', type, id, details: { name } })
    },
  }
}

interface AgentChange extends MeantVersion {
  /** The sub-agents that the change names; none where it leaves them as they are. */
  readonly subAgentIds: readonly string[]
  readonly inputFor: (current: AgentRecord) => AgentInput
}

/** Two agents that name each other at the same time would each be right alone. Whoever names nobody need not wait. */
async function lockLinks({ stores, caller }: CallerScope, subAgentIds: readonly string[]): Promise<void> {
  if (subAgentIds.length > 0) await stores.agents.lockLinks(caller.organizationId)
}
