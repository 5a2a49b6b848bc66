import {
  Agent,
  AgentInput,
  type AgentRevisionListQuery,
  type AgentRevisionSummary,
  maxAgentRevisions,
  type Page,
} from '@parley/contract'
import type { AgentRevisionRecord } from '../../ports/agent-revision-store.js'
import type { AgentRecord } from '../../ports/agent-store.js'
import type { CallerScope } from '../caller-scope.js'
import { invalidRequest, notFound } from '../domain-error.js'
import { fieldErrorsOf } from '../field-path.js'
import { readPage } from '../resources/page.js'

/** A change of an agent whose row the transaction has locked, or has just made. */
export interface RevisedAgent {
  /** What it was; null where it is new. */
  readonly before: AgentRecord | null
  readonly after: AgentRecord
  readonly changed: readonly string[]
  readonly restoredFrom: number | null
}

/**
 * Adds the revision that a change makes, and removes the one that is too many. An agent that is older than its
 * revisions gets one of what it was before, so that its first change can be taken back as well.
 */
export async function addRevision(
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

export function listRevisions(
  { stores, caller }: CallerScope,
  agentId: string,
  query: AgentRevisionListQuery,
): Promise<Page<Readonly<AgentRevisionSummary>>> {
  return readPage(query, (page) => stores.agentRevisions.list(caller.organizationId, agentId, page))
}

export async function readRevision(
  { stores, caller }: CallerScope,
  agentId: string,
  number: number,
): Promise<AgentRevisionRecord> {
  const found = await stores.agentRevisions.find(caller.organizationId, agentId, number)
  if (found === null) throw notFound('AgentRevision')
  return found
}

/** The agent of a revision as somebody would send it to replace the present one, checked by today's rules. */
export function inputOf({ agent }: AgentRevisionRecord): AgentInput {
  const parsed = AgentInput.safeParse(agent)
  if (!parsed.success) throw invalidRequest(fieldErrorsOf(parsed.error))
  return parsed.data
}

function snapshotOf(record: AgentRecord) {
  const { id, organizationId, updatedAt, toolSecrets } = record
  return { agentId: id, organizationId, at: updatedAt, agent: Agent.parse(record), toolSecrets }
}
