import {
  PhoneConnection,
  PhoneConnectionInput,
  type PhoneConnectionListQuery,
  type PhoneConnectionPatch,
  type PhoneConnectionUpsert,
} from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import type { Outbound } from '../../ports/outbound.js'
import type { PhoneConnectionRecord } from '../../ports/phone-stores.js'
import type { Cipher } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError, invalidRequest } from '../domain-error.js'
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
import { isTimeZone } from './quiet-hours.js'

const type = 'PhoneConnection'

/** A phone connection without its secret. */
type PresentedPhoneConnection = PhoneConnectionRecord & Pick<PhoneConnection, 'hasSecret' | 'state'>

export interface PhoneConnectionsDependencies {
  readonly clock: Clock
  readonly limits: Limits
  readonly cipher: Cipher
  readonly outbound: Outbound
}

export type PhoneConnections = ReturnType<typeof makePhoneConnections>

export function makePhoneConnections({ clock, limits, cipher, outbound }: PhoneConnectionsDependencies) {
  const kind = {
    type,
    clock,
    limits,
    counted: 'phoneConnections',
    store: (stores: Stores) => stores.phoneConnections,
    duplicate: 'Another phone connection of this organization already has this externalId.',
  } as const

  /** Returns the new record for this input and the current record. */
  function apply(
    current: PhoneConnectionRecord,
    { secret, ...input }: PhoneConnectionInput,
  ): PhoneConnectionRecord {
    requireAddress(outbound, input.baseUrl)
    requireTimeZone(input.quietHours)
    // A secret is only sent to the account and the address that it was entered for.
    const isSameAccount =
      current.kind === input.kind &&
      current.accountId === input.accountId &&
      current.baseUrl === input.baseUrl
    const before = isSameAccount ? current.sealedSecret : null
    const isSameSecret =
      secret === undefined || isSecret(cipher, { ...current, sealedSecret: before }, secret)
    const sealedSecret = isSameSecret
      ? before
      : secret === null
        ? null
        : cipher.seal(secret, secretContext(current))
    const isChecked = sealedSecret === current.sealedSecret
    const check = isChecked ? {} : { checkedAt: null, failure: null }
    return { ...current, ...input, sealedSecret, ...check }
  }

  async function change(
    scope: CallerScope,
    { id, ifMatch }: TargetVersion,
    inputFor: (current: PhoneConnectionRecord) => PhoneConnectionInput,
  ): Promise<Changed<PresentedPhoneConnection>> {
    const { before, after } = await changeResource(kind, scope, {
      id,
      ifMatch,
      change: (current) => apply(current, inputFor(current)),
    })
    const changed = changedFields(before, after)
      .filter((name) => name !== 'checkedAt' && name !== 'failure')
      .map((name) => (name === 'sealedSecret' ? 'secret' : name))
    await recordChange(clock, scope, { action: 'phone_connection.update', type, id, details: { changed } })
    return { ...present(after), changed }
  }

  async function create(scope: CallerScope, input: PhoneConnectionInput): Promise<PresentedPhoneConnection> {
    const { secret: _, ...plain } = input
    const blank = {
      ...newResource(clock, scope.caller.organizationId),
      ...plain,
      ...{ sealedSecret: null, checkedAt: null, failure: null },
    }
    const record = apply(blank, input)
    await addResource(kind, scope, record)
    const details = { name: record.name, kind: record.kind }
    await recordChange(clock, scope, { action: 'phone_connection.create', type, id: record.id, details })
    return present(record)
  }

  const replace = (scope: CallerScope, target: TargetVersion, input: PhoneConnectionInput) =>
    change(scope, target, () => input)

  return {
    async list(scope: CallerScope, query: PhoneConnectionListQuery) {
      const page = await listResources(kind, scope, { query, filter: { search: query.Search } })
      return { ...page, items: page.items.map(present) }
    },

    read: async (scope: CallerScope, id: string) => present(await readResource(kind, scope, id)),

    create,

    replace,

    upsert(scope: CallerScope, target: TargetExternalId, upsert: PhoneConnectionUpsert) {
      const input = { ...upsert, externalId: target.externalId }
      return upsertResource<PhoneConnectionRecord, PresentedPhoneConnection>(
        scope.stores.phoneConnections,
        scope,
        {
          ...target,
          create: () => create(scope, input),
          replace: (current) => replace(scope, current, input),
        },
      )
    },

    patch: (scope: CallerScope, target: TargetVersion, patch: PhoneConnectionPatch) =>
      change(scope, target, (current) =>
        applyPatch({ wire: PhoneConnection, input: PhoneConnectionInput }, present(current), patch),
      ),

    async remove(scope: CallerScope, target: TargetVersion): Promise<undefined> {
      const { id, name } = await removeResource(kind, scope, {
        ...target,
        check: (current) => refuseUse(scope.stores, current),
      })
      await recordChange(clock, scope, { action: 'phone_connection.delete', type, id, details: { name } })
    },
  }
}

function present(record: PhoneConnectionRecord): PresentedPhoneConnection {
  return { ...record, hasSecret: record.sealedSecret !== null, state: stateOf(record) }
}

function stateOf({ isEnabled, failure, checkedAt }: PhoneConnectionRecord): PhoneConnection['state'] {
  if (!isEnabled) return 'off'
  if (failure !== null) return 'failed'
  return checkedAt === null ? 'unknown' : 'ready'
}

/** The sealing context of a secret. The secret cannot be opened in another context. */
export function secretContext({
  organizationId,
  id,
}: Pick<PhoneConnectionRecord, 'organizationId' | 'id'>): string {
  return `phone-connection/${organizationId}/${id}/secret`
}

/** Returns the decrypted secret of a phone connection, or null if it has none. */
export function openSecret(cipher: Cipher, connection: PhoneConnectionRecord): string | null {
  const { sealedSecret } = connection
  return sealedSecret === null ? null : cipher.open(sealedSecret, secretContext(connection))
}

/** Returns whether the connection has this secret. Returns false if it cannot be opened. */
function isSecret(cipher: Cipher, connection: PhoneConnectionRecord, secret: string | null): boolean {
  try {
    const { sealedSecret } = connection
    const isCurrent = sealedSecret === null || cipher.isCurrent(sealedSecret, secretContext(connection))
    return isCurrent && openSecret(cipher, connection) === secret
  } catch {
    return false
  }
}

function requireAddress(outbound: Outbound, baseUrl: string | null): void {
  const refusal = baseUrl === null ? null : outbound.explainRefusal(baseUrl)
  if (refusal !== null) throw invalidRequest([{ path: 'baseUrl', message: refusal }])
}

function requireTimeZone(quietHours: PhoneConnection['quietHours']): void {
  if (quietHours !== null && !isTimeZone(quietHours.timeZone))
    throw invalidRequest([
      { path: 'quietHours.timeZone', message: 'must be an IANA time zone, for example Europe/Berlin' },
    ])
}

async function refuseUse(stores: Stores, { organizationId, id }: PhoneConnectionRecord): Promise<void> {
  const page = { offset: 0, limit: 1 }
  const { totalCount } = await stores.phoneNumbers.list(organizationId, { phoneConnectionId: id }, page)
  if (totalCount > 0)
    throw new DomainError(
      'Conflict',
      `Phone numbers use this phone connection: ${totalCount}. Delete them, or assign another phone connection to them.`,
    )
  const calls = await stores.phoneCalls.countOpen(id)
  if (calls > 0)
    throw new DomainError('Conflict', `Calls use this phone connection: ${calls}. Hang up first.`)
}
