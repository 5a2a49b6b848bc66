import {
  EndUserFact,
  type EndUserFactInput,
  type EndUserFactListQuery,
  type EndUserFactPatch,
  maxFactsPerAgent,
  type Page,
} from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import type { EndUserFactRecord, Remembered } from '../../ports/memory-stores.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { invalidRequest, notFound } from '../domain-error.js'
import {
  type Changed,
  changedFields,
  changeResource,
  listResources,
  newResource,
  removeResource,
  type TargetVersion,
} from '../resources/resource.js'
import { erasureInProgress } from './erasure-in-progress.js'
import { looksLikeInstruction } from './instruction-check.js'

const type = 'EndUserFact'

/** The ids by which callers name a fact, and the versions that they accept. */
interface MeantFact extends TargetVersion {
  readonly endUserId: string
}

export type EndUserFacts = ReturnType<typeof makeEndUserFacts>

export function makeEndUserFacts({ clock }: { readonly clock: Clock }) {
  const kind = { type, clock, store: (stores: Stores) => stores.endUserFacts }

  return {
    async list(
      scope: CallerScope,
      endUserId: string,
      query: EndUserFactListQuery,
    ): Promise<Page<EndUserFactRecord>> {
      await requireEndUser(scope, endUserId)
      return listResources(kind, scope, { query, filter: { endUserId, agentId: query.AgentId } })
    },

    async create(
      scope: CallerScope,
      endUserId: string,
      { agentId, text }: EndUserFactInput,
    ): Promise<EndUserFactRecord> {
      const { stores, caller } = scope
      await requireEndUser(scope, endUserId)
      if (await stores.endUsers.isBeingErased(endUserId)) throw erasureInProgress()
      if ((await stores.agents.find(caller.organizationId, agentId)) === null)
        throw invalidRequest([{ path: 'agentId', message: 'must be an agent of this organization' }])
      requireFact(text)
      const fact = { ...newResource(clock, caller.organizationId), endUserId, agentId, text }
      const record = { ...fact, conversationId: null }
      await stores.endUserFacts.insert(record)
      await stores.endUserFacts.removeOldest({ endUserId, agentId }, maxFactsPerAgent)
      const details = { endUserId, agentId }
      await recordChange(clock, scope, { action: 'end_user_fact.create', type, id: record.id, details })
      return record
    },

    async patch(
      scope: CallerScope,
      { endUserId, ...target }: MeantFact,
      { text }: EndUserFactPatch,
    ): Promise<Changed<EndUserFactRecord>> {
      if (text !== undefined) requireFact(text)
      const { before, after } = await changeResource(kind, scope, {
        ...target,
        change: (current) => ({ ...requireOwner(current, endUserId), ...(text !== undefined && { text }) }),
      })
      const changed = changedFields(EndUserFact.parse(before), EndUserFact.parse(after))
      const details = { endUserId, agentId: after.agentId, changed }
      await recordChange(clock, scope, { action: 'end_user_fact.update', type, id: target.id, details })
      return { ...after, changed }
    },

    async remove(scope: CallerScope, { endUserId, ...target }: MeantFact): Promise<undefined> {
      const { agentId } = await removeResource(kind, scope, {
        ...target,
        check: async (current) => void requireOwner(current, endUserId),
      })
      const details = { endUserId, agentId }
      await recordChange(clock, scope, { action: 'end_user_fact.delete', type, id: target.id, details })
    },
  }
}

async function requireEndUser({ stores, caller }: CallerScope, id: string): Promise<void> {
  if ((await stores.endUsers.find(caller.organizationId, id)) === null) throw notFound('EndUser')
}

function requireOwner(fact: EndUserFactRecord, endUserId: string): EndUserFactRecord {
  if (fact.endUserId !== endUserId) throw notFound(type)
  return fact
}

function requireFact(text: string): void {
  if (looksLikeInstruction(text))
    throw invalidRequest([
      { path: 'text', message: 'must be a fact about the end user, not an instruction or a URL' },
    ])
}

export interface LearnedFacts extends Remembered {
  readonly organizationId: string
  readonly conversationId: string
  readonly texts: readonly string[]
}

/**
 * Adds facts from a conversation. A known fact is confirmed, which makes it new again. Returns the number of
 * facts that were added.
 */
export async function learnFacts(
  clock: Clock,
  stores: Stores,
  { organizationId, conversationId, endUserId, agentId, texts }: LearnedFacts,
): Promise<number> {
  // Serializes the conversations of an end user.
  const endUser = await stores.endUsers.findLocked(organizationId, endUserId)
  if (endUser === null || endUser.erasureStartedAt !== null) return 0
  const remembered = { endUserId, agentId }
  const known = new Map(
    (await stores.endUserFacts.newest(remembered, maxFactsPerAgent)).map((fact) => [keyOf(fact.text), fact]),
  )
  let added = 0
  for (const text of texts) {
    const fact = { ...newResource(clock, organizationId), ...remembered, text, conversationId }
    const same = known.get(keyOf(text))
    known.set(keyOf(text), fact)
    if (same === undefined) {
      await stores.endUserFacts.insert(fact)
      added += 1
    } else {
      const confirmed = { ...same, version: same.version + 1, updatedAt: fact.updatedAt }
      await stores.endUserFacts.update(confirmed, same.version)
    }
  }
  await stores.endUserFacts.removeOldest(remembered, maxFactsPerAgent)
  return added
}

/** Facts with the same letters and digits are the same. */
const keyOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
