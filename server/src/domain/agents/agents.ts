import { Agent, AgentInput, type AgentListQuery, type AgentPatch, type Page } from '@parley/contract'
import type { AgentRecord } from '../../ports/agent-store.js'
import type { Cipher } from '../../ports/cipher.js'
import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import { recordChange } from '../audit/record-change.js'
import type { Caller } from '../caller.js'
import { changedFields } from '../resources/changed-fields.js'
import type { IfMatch } from '../resources/if-match.js'
import { newResource } from '../resources/new-resource.js'
import {
  addResource,
  applyPatch,
  changeResource,
  listResources,
  readResource,
  removeResource,
} from '../resources/resource.js'
import { type KnownOutside, requireReferences } from './agent-references.js'
import { storeTools } from './tool-secrets.js'

const kind = { type: 'Agent', store: (stores: Stores) => stores.agents } as const

export interface AgentsDependencies extends KnownOutside {
  readonly clock: Clock
  readonly cipher: Cipher
}

export type Agents = ReturnType<typeof makeAgents>

export function makeAgents({ clock, cipher, ...outside }: AgentsDependencies) {
  async function change(
    stores: Stores,
    caller: Caller,
    id: string,
    ifMatch: IfMatch,
    { subAgentIds = [] }: AgentPatch,
    inputFor: (current: AgentRecord) => AgentInput,
  ): Promise<AgentRecord> {
    let before: AgentRecord | undefined
    await takeTurns(stores, caller, subAgentIds)
    const after = await changeResource(kind, stores, clock, caller, id, ifMatch, async (current) => {
      before = current
      const input = inputFor(current)
      await requireReferences(stores, current, caller.organizationId, id, input, outside)
      return { ...current, ...input, ...storeTools(current, input.tools, cipher) }
    })
    const details = { changed: changedFields(before ?? {}, after) }
    await recordChange(stores, clock, caller, { action: 'agent.update', type: kind.type, id, details })
    return after
  }

  return {
    list: (stores: Stores, caller: Caller, query: AgentListQuery): Promise<Page<AgentRecord>> =>
      listResources(kind, stores, caller, { search: query.Search }, query),

    read: (stores: Stores, caller: Caller, id: string) => readResource(kind, stores, caller, id),

    async create(stores: Stores, caller: Caller, input: AgentInput): Promise<AgentRecord> {
      await takeTurns(stores, caller, input.subAgentIds)
      const resource = newResource(clock, caller.organizationId)
      await requireReferences(stores, null, caller.organizationId, resource.id, input, outside)
      const tools = storeTools({ ...resource, tools: [], toolSecrets: {} }, input.tools, cipher)
      const record = { ...resource, ...input, ...tools, deletedAt: null }
      await addResource(kind, stores, record)
      const details = { name: record.name }
      await recordChange(stores, clock, caller, {
        action: 'agent.create',
        type: kind.type,
        id: record.id,
        details,
      })
      return record
    },

    replace: (stores: Stores, caller: Caller, id: string, ifMatch: IfMatch, input: AgentInput) =>
      change(stores, caller, id, ifMatch, input, () => input),

    patch: (stores: Stores, caller: Caller, id: string, ifMatch: IfMatch, patch: AgentPatch) =>
      change(stores, caller, id, ifMatch, patch, (current) => applyPatch(Agent, AgentInput, current, patch)),

    async remove(stores: Stores, caller: Caller, id: string, ifMatch: IfMatch): Promise<undefined> {
      const removed = await removeResource(kind, stores, clock, caller, id, ifMatch)
      await stores.realtimeSessions.requestEnd(
        caller.organizationId,
        { agentId: id },
        clock.now().toISOString(),
      )
      const details = { name: removed.name }
      await recordChange(stores, clock, caller, { action: 'agent.delete', type: kind.type, id, details })
    },
  }
}

/** Two agents that name each other at the same time would each be right alone. Whoever names nobody need not wait. */
async function takeTurns(stores: Stores, caller: Caller, subAgentIds: readonly string[]): Promise<void> {
  if (subAgentIds.length > 0) await stores.agents.lockLinks(caller.organizationId)
}
