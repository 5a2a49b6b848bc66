import {
  Agent,
  AgentInput,
  type AgentListQuery,
  type AgentPatch,
  type AgentRevisionListQuery,
  type AgentRevisionSummary,
  type AgentUpsert,
  fieldErrorsOf,
  maxAgentRevisions,
  type Page,
} from '@parley/contract'
import type { AgentRecord, AgentRevisionRecord } from '../../ports/agent-stores.js'
import type { Stores } from '../../ports/database.js'
import type { Cipher } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { invalidRequest, notFound } from '../domain-error.js'
import type { Limits } from '../limits/organization-limits.js'
import {
  addResource,
  applyPatch,
  type Changed,
  changedFields,
  changeResource,
  listResources,
  newResource,
  readPage,
  readResource,
  removeResource,
  type TargetExternalId,
  type TargetVersion,
  upsertResource,
} from '../resources/resource.js'
import { type KnownOutside, requireReferences } from './agent-references.js'
import { resealToolSecrets, type StoredTools, storeTools } from './tool-secrets.js'

const type = 'Agent'

interface AgentsDependencies extends KnownOutside {
  readonly clock: Clock
  readonly limits: Limits
  readonly cipher: Cipher
}

export type Agents = ReturnType<typeof makeAgents>

export function makeAgents({ clock, limits, cipher, ...outside }: AgentsDependencies) {
  const kind = {
    type,
    clock,
    limits,
    counted: 'agents',
    store: (stores: Stores) => stores.agents,
    duplicate: 'Another agent of this organization already has this externalId.',
  } as const

  async function change(
    scope: CallerScope,
    { id, ifMatch, subAgentIds, inputFor, restored }: AgentChange,
  ): Promise<Changed<AgentRecord>> {
    await lockLinks(scope, subAgentIds)
    const { before, after } = await changeResource(kind, scope, {
      id,
      ifMatch,
      change: async (current) => {
        const input = inputFor(current)
        await requireReferences(outside, scope, { current, id, input })
        const had = restored ? { ...current, ...restored.tools } : current
        return { ...current, ...input, ...storeTools(had, input.tools, cipher) }
      },
    })
    const changed = changedFields(before, after)
    const restoredFrom = restored?.number ?? null
    await addRevision(scope, { before, after, changed, restoredFrom })
    const audited = restored
      ? { action: 'agent.restore', details: { revision: restoredFrom, changed } }
      : { action: 'agent.update', details: { changed } }
    await recordChange(clock, scope, { ...audited, type, id })
    return { ...after, changed }
  }

  async function create(scope: CallerScope, input: AgentInput): Promise<Changed<AgentRecord>> {
    await lockLinks(scope, input.subAgentIds)
    const resource = newResource(clock, scope.caller.organizationId)
    const { id } = resource
    await requireReferences(outside, scope, { current: null, id, input })
    const tools = storeTools({ ...resource, tools: [], toolSecrets: {} }, input.tools, cipher)
    const record = { ...resource, ...input, ...tools, deletedAt: null }
    await addResource(kind, scope, record)
    await addRevision(scope, { before: null, after: record, changed: [], restoredFrom: null })
    const details = { name: record.name }
    await recordChange(clock, scope, { action: 'agent.create', type, id, details })
    return record
  }

  const replace = (scope: CallerScope, target: TargetVersion, input: AgentInput) =>
    change(scope, { ...target, subAgentIds: input.subAgentIds, inputFor: () => input })

  return {
    list: (scope: CallerScope, query: AgentListQuery): Promise<Page<AgentRecord>> =>
      listResources(kind, scope, { query, filter: { search: query.Search } }),

    read: (scope: CallerScope, id: string) => readResource(kind, scope, id),

    create,

    replace,

    upsert(scope: CallerScope, target: TargetExternalId, upsert: AgentUpsert) {
      const input = { ...upsert, externalId: target.externalId }
      return upsertResource(scope.stores.agents, scope, {
        ...target,
        create: () => create(scope, input),
        replace: (current) => replace(scope, current, input),
      })
    },

    patch: (scope: CallerScope, target: TargetVersion, patch: AgentPatch) =>
      change(scope, {
        ...target,
        subAgentIds: patch.subAgentIds ?? [],
        inputFor: (current) => applyPatch({ wire: Agent, input: AgentInput }, current, patch),
      }),

    async listRevisions(scope: CallerScope, id: string, query: AgentRevisionListQuery) {
      await readResource(kind, scope, id)
      return listRevisions(scope, id, query)
    },

    readRevision,

    /**
     * Restores the agent to the state after an earlier change, with the header values that its tools had
     * then.
     */
    async restore(scope: CallerScope, target: TargetVersion, number: number): Promise<AgentRecord> {
      const revision = await readRevision(scope, target.id, number)
      const input = inputOf(revision)
      const { agent } = revision
      // The agent may be resealed already while a revision is still sealed with an older secret.
      const toolSecrets = resealToolSecrets(cipher, { ...revision, id: agent.id })
      return change(scope, {
        ...target,
        subAgentIds: input.subAgentIds,
        // The external id is not part of a revision.
        inputFor: ({ externalId, managedBy }) => ({ ...input, externalId, managedBy }),
        restored: { number, tools: { tools: agent.tools, toolSecrets } },
      })
    },

    async remove(scope: CallerScope, target: TargetVersion): Promise<undefined> {
      const { stores, caller } = scope
      const { id, name } = await removeResource(kind, scope, target)
      await stores.agentRevisions.removeAll(id)
      await stores.agentTests.removeAll(id)
      await stores.agentTestRuns.removeAll(id)
      const now = clock.now().toISOString()
      await stores.realtimeSessions.requestEnd(caller.organizationId, { agentId: id }, now)
      await recordChange(clock, scope, { action: 'agent.delete', type, id, details: { name } })
    },
  }
}

interface AgentChange extends TargetVersion {
  /** The sub-agents in the change. Empty if the change does not modify them. */
  readonly subAgentIds: readonly string[]
  readonly inputFor: (current: AgentRecord) => AgentInput
  /** The revision to restore and its tools. Only set for a restore. */
  readonly restored?: { readonly number: number; readonly tools: StoredTools }
}

/**
 * Takes the lock if the agent has sub-agents. Otherwise two agents could add each other at the same time, and
 * both would pass the check for cycles.
 */
async function lockLinks({ stores, caller }: CallerScope, subAgentIds: readonly string[]): Promise<void> {
  if (subAgentIds.length > 0) await stores.agents.lockLinks(caller.organizationId)
}

/** A change of an agent whose row is locked or was just created. */
interface RevisedAgent {
  /** The agent before the change; null if it is new. */
  readonly before: AgentRecord | null
  readonly after: AgentRecord
  readonly changed: readonly string[]
  readonly restoredFrom: number | null
}

/**
 * Adds a revision for a change, and removes the oldest revisions if there are too many. If the agent was
 * created before revisions existed, its previous state is added first, so that its first change can be undone
 * too.
 */
async function addRevision(
  { stores: { agentRevisions }, caller }: CallerScope,
  { before, after, changed, restoredFrom }: RevisedAgent,
): Promise<void> {
  let number = await agentRevisions.lastNumber(after.id)
  if (number === 0 && before !== null) {
    number += 1
    await agentRevisions.insert({
      ...snapshotOf(before),
      number,
      actor: null,
      changed: [],
      restoredFrom: null,
    })
  }
  number += 1
  await agentRevisions.insert({
    ...snapshotOf(after),
    number,
    actor: caller.actor,
    changed: [...changed],
    restoredFrom,
  })
  if (number > maxAgentRevisions) await agentRevisions.removeThrough(after.id, number - maxAgentRevisions)
}

function listRevisions(
  { stores, caller }: CallerScope,
  agentId: string,
  query: AgentRevisionListQuery,
): Promise<Page<Readonly<AgentRevisionSummary>>> {
  return readPage(query, (page) => stores.agentRevisions.list(caller.organizationId, agentId, page))
}

async function readRevision(
  { stores, caller }: CallerScope,
  agentId: string,
  number: number,
): Promise<AgentRevisionRecord> {
  const found = await stores.agentRevisions.find(caller.organizationId, agentId, number)
  if (found === null) throw notFound('AgentRevision')
  return { ...found, agent: { ...laterFields, ...found.agent } }
}

/** Fields that are missing from revisions of earlier versions. */
const laterFields = {
  firstMessage: null,
  exampleQuestions: [],
  variables: [],
  realtimeFallbacks: [],
  endUserLimits: {},
  conversationRetentionDays: null,
}

/**
 * Returns a revision's agent as input that replaces the current agent. It is validated with the current
 * rules.
 */
function inputOf({ agent }: AgentRevisionRecord): AgentInput {
  const parsed = AgentInput.safeParse(agent)
  if (!parsed.success) throw invalidRequest(fieldErrorsOf(parsed.error))
  return parsed.data
}

function snapshotOf(record: AgentRecord) {
  const { id, organizationId, updatedAt, toolSecrets } = record
  return { agentId: id, organizationId, at: updatedAt, agent: Agent.parse(record), toolSecrets }
}
