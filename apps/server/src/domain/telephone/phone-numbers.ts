import {
  PhoneNumber,
  PhoneNumberInput,
  type PhoneNumberListQuery,
  type PhoneNumberPatch,
  type PhoneNumberUpsert,
} from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import type { PhoneNumberRecord } from '../../ports/phone-stores.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { invalidRequest } from '../domain-error.js'
import type { Limits } from '../limits/organization-limits.js'
import {
  addResource,
  applyPatch,
  type Changed,
  changedFields,
  changeResource,
  listResources,
  newResource,
  readResource,
  removeResource,
  type TargetExternalId,
  type TargetVersion,
  upsertResource,
} from '../resources/resource.js'

const type = 'PhoneNumber'

export type PhoneNumbers = ReturnType<typeof makePhoneNumbers>

export function makePhoneNumbers({ clock, limits }: { readonly clock: Clock; readonly limits: Limits }) {
  const kind = {
    type,
    clock,
    limits,
    counted: 'phoneNumbers',
    store: (stores: Stores) => stores.phoneNumbers,
    duplicate: 'Another phone number already has this externalId, or the phone connection has this number.',
  } as const

  async function change(
    scope: CallerScope,
    { id, ifMatch }: TargetVersion,
    inputFor: (current: PhoneNumberRecord) => PhoneNumberInput,
  ): Promise<Changed<PhoneNumberRecord>> {
    const { before, after } = await changeResource(kind, scope, {
      id,
      ifMatch,
      change: async (current) => {
        const input = inputFor(current)
        await requireReferences(scope, input, current)
        return { ...current, ...input }
      },
    })
    const changed = changedFields(before, after)
    await recordChange(clock, scope, { action: 'phone_number.update', type, id, details: { changed } })
    return { ...after, changed }
  }

  async function create(scope: CallerScope, input: PhoneNumberInput): Promise<PhoneNumberRecord> {
    await requireReferences(scope, input, null)
    const record = { ...newResource(clock, scope.caller.organizationId), ...input }
    await addResource(kind, scope, record)
    const { id, name, agentId } = record
    await recordChange(clock, scope, {
      action: 'phone_number.create',
      type,
      id,
      details: { name, agentId },
    })
    return record
  }

  const replace = (scope: CallerScope, target: TargetVersion, input: PhoneNumberInput) =>
    change(scope, target, () => input)

  return {
    list(scope: CallerScope, query: PhoneNumberListQuery) {
      const filter = {
        search: query.Search,
        agentId: query.AgentId,
        phoneConnectionId: query.PhoneConnectionId,
      }
      return listResources(kind, scope, { query, filter })
    },

    read: (scope: CallerScope, id: string) => readResource(kind, scope, id),

    create,

    replace,

    upsert(scope: CallerScope, target: TargetExternalId, upsert: PhoneNumberUpsert) {
      const input = { ...upsert, externalId: target.externalId }
      return upsertResource<PhoneNumberRecord, PhoneNumberRecord>(scope.stores.phoneNumbers, scope, {
        ...target,
        create: () => create(scope, input),
        replace: (current) => replace(scope, current, input),
      })
    },

    patch: (scope: CallerScope, target: TargetVersion, patch: PhoneNumberPatch) =>
      change(scope, target, (current) =>
        applyPatch({ wire: PhoneNumber, input: PhoneNumberInput }, current, patch),
      ),

    async remove(scope: CallerScope, target: TargetVersion): Promise<undefined> {
      const { id, name } = await removeResource(kind, scope, target)
      await recordChange(clock, scope, { action: 'phone_number.delete', type, id, details: { name } })
    },
  }
}

/** Throws if the agent or the phone connection does not exist. An unchanged agent may have been deleted. */
async function requireReferences(
  { stores, caller: { organizationId } }: CallerScope,
  { agentId, phoneConnectionId }: PhoneNumberInput,
  current: PhoneNumberRecord | null,
): Promise<void> {
  if (
    agentId !== null &&
    agentId !== current?.agentId &&
    (await stores.agents.find(organizationId, agentId)) === null
  )
    throw invalidRequest([{ path: 'agentId', message: 'must be an agent of this organization' }])
  // The lock keeps the phone connection from being deleted at the same time.
  if (
    phoneConnectionId !== null &&
    phoneConnectionId !== current?.phoneConnectionId &&
    (await stores.phoneConnections.findLocked(organizationId, phoneConnectionId)) === null
  )
    throw invalidRequest([
      { path: 'phoneConnectionId', message: 'must be a phone connection of this organization' },
    ])
}
