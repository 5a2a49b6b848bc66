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

const type = 'PhoneConnection'

/** Columns that the service changes on its own, so audit records do not list them. */
const stateColumns = new Set(['checkedAt', 'failure', 'lineInstanceId'])
/** The names in audit records of columns with secrets. */
const secretFields = new Map([
  ['sealedSecret', 'secret'],
  ['sealedWebhookSecret', 'webhookSecret'],
])

/** A phone connection without its secret. */
type PresentedPhoneConnection = PhoneConnectionRecord &
  Pick<PhoneConnection, 'hasSecret' | 'hasWebhookSecret' | 'state'>

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
    { secret, webhookSecret, ...input }: PhoneConnectionInput,
  ): PhoneConnectionRecord {
    requireAddress(outbound, input)
    // Secrets are only sent to the account and the address that they were entered for.
    const before = isSameAccount(current, input)
      ? current
      : { ...current, sealedSecret: null, sealedWebhookSecret: null }
    const sealedSecret = sealedAgain(cipher, secret, before.sealedSecret, secretContext(current))
    const context = webhookSecretContext(current)
    const sealedWebhookSecret = sealedAgain(cipher, webhookSecret, before.sealedWebhookSecret, context)
    const isChecked =
      sealedSecret === current.sealedSecret && sealedWebhookSecret === current.sealedWebhookSecret
    const check = isChecked ? {} : { checkedAt: null, failure: null }
    return { ...current, ...input, sealedSecret, sealedWebhookSecret, ...check }
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
      .filter((name) => !stateColumns.has(name))
      .map((name) => secretFields.get(name) ?? name)
    await recordChange(clock, scope, { action: 'phone_connection.update', type, id, details: { changed } })
    return { ...present(after), changed }
  }

  async function create(scope: CallerScope, input: PhoneConnectionInput): Promise<PresentedPhoneConnection> {
    const { secret: _, webhookSecret: __, ...plain } = input
    const blank = {
      ...newResource(clock, scope.caller.organizationId),
      ...plain,
      sealedSecret: null,
      sealedWebhookSecret: null,
      lineInstanceId: null,
      checkedAt: null,
      failure: null,
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
  const { sealedSecret, sealedWebhookSecret } = record
  return {
    ...record,
    hasSecret: sealedSecret !== null,
    hasWebhookSecret: sealedWebhookSecret !== null,
    state: stateOf(record),
  }
}

function stateOf({ isEnabled, failure, checkedAt }: PhoneConnectionRecord): PhoneConnection['state'] {
  if (!isEnabled) return 'off'
  if (failure !== null) return 'failed'
  return checkedAt === null ? 'unknown' : 'ready'
}

type Identified = Pick<PhoneConnectionRecord, 'organizationId' | 'id'>

/** The sealing context of a secret. The secret cannot be opened in another context. */
export function secretContext({ organizationId, id }: Identified): string {
  return `phone-connection/${organizationId}/${id}/secret`
}

export function webhookSecretContext({ organizationId, id }: Identified): string {
  return `phone-connection/${organizationId}/${id}/webhook-secret`
}

/** The decrypted secrets of a phone connection. */
export interface PhoneSecrets {
  readonly secret: string
  readonly webhookSecret: string | null
}

/** Returns the decrypted secrets of a phone connection, or null if it has none. */
export function openSecrets(cipher: Cipher, connection: PhoneConnectionRecord): PhoneSecrets | null {
  const { sealedSecret, sealedWebhookSecret } = connection
  if (sealedSecret === null) return null
  return {
    secret: cipher.open(sealedSecret, secretContext(connection)),
    webhookSecret:
      sealedWebhookSecret === null
        ? null
        : cipher.open(sealedWebhookSecret, webhookSecretContext(connection)),
  }
}

/** Returns the sealed form of a new secret. Returns the stored form if the secret is the same or not given. */
function sealedAgain(
  cipher: Cipher,
  secret: string | null | undefined,
  sealed: string | null,
  context: string,
): string | null {
  if (secret === undefined || isSealed(cipher, secret, sealed, context)) return sealed
  return secret === null ? null : cipher.seal(secret, context)
}

/** Returns whether the sealed form contains this secret. Returns false if it cannot be opened. */
function isSealed(cipher: Cipher, secret: string | null, sealed: string | null, context: string): boolean {
  if (sealed === null || secret === null) return sealed === secret
  try {
    return cipher.isCurrent(sealed, context) && cipher.open(sealed, context) === secret
  } catch {
    return false
  }
}

type Account = Pick<PhoneConnectionInput, 'kind' | 'accountId' | 'baseUrl' | 'sip'>

function isSameAccount(one: Account, other: Account): boolean {
  return (
    one.kind === other.kind &&
    one.accountId === other.accountId &&
    one.baseUrl === other.baseUrl &&
    one.sip?.host === other.sip?.host
  )
}

/** Throws if the outbound guard forbids the address. A SIP host is checked like the host of a URL. */
function requireAddress(outbound: Outbound, { baseUrl, sip }: Pick<Account, 'baseUrl' | 'sip'>): void {
  const urlRefusal = baseUrl === null ? null : outbound.explainRefusal(baseUrl)
  if (urlRefusal !== null) throw invalidRequest([{ path: 'baseUrl', message: urlRefusal }])
  const hostRefusal = sip === null ? null : outbound.explainRefusal(sipUrl(sip))
  if (hostRefusal !== null) throw invalidRequest([{ path: 'sip.host', message: hostRefusal }])
}

/** The ports of SIP servers without SRV records. */
const usualPorts = { udp: 5060, tcp: 5060, tls: 5061 } as const

/** Returns the SIP server as a URL that the outbound guard can check. */
function sipUrl({ host, port, transport }: NonNullable<PhoneConnection['sip']>): string {
  return `http://${host}:${port ?? usualPorts[transport]}`
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
