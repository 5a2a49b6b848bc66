import { type Parley, PermissionError } from '@parley/sdk'
import {
  agentKind,
  budgetKind,
  connectionKind,
  type Form,
  type HeaderNames,
  type KindName,
  kindNames,
  type ManagedKind,
  type NameOf,
  type Stored,
  webhookKind,
} from './managed-kinds.js'
import { phoneConnectionKind, phoneNumberKind } from './phone-kinds.js'

const pageSize = 200

/** The stored fields that say whether a secret is stored, with the names of the secrets in the files. */
const secretFlags = { hasApiKey: 'apiKey', hasSecret: 'secret', hasWebhookSecret: 'webhookSecret' } as const

export type SecretField = (typeof secretFlags)[keyof typeof secretFlags]

/** A resource of the service. */
export interface PresentResource extends Stored {
  readonly kind: KindName
  readonly noun: string
  readonly headerNames: HeaderNames
  /** The fields whose secrets are stored. */
  readonly secretFields: readonly SecretField[]
  formWith(nameOf: NameOf): Form
  /** Reads the resource again, with its version. */
  reread(): Promise<{ readonly resource: PresentResource; readonly etag: string }>
  remove(etag: string): Promise<void>
}

export type PresentState = ReadonlyMap<KindName, readonly PresentResource[]>

/** Reads the resources of these kinds. */
export async function readPresentState(parley: Parley, wanted: ReadonlySet<KindName>): Promise<PresentState> {
  const read = {
    connections: () => listOf(connectionKind, parley),
    agents: () => listOf(agentKind, parley),
    webhooks: () => listOf(webhookKind, parley),
    budgets: () => listOf(budgetKind, parley),
    phoneConnections: () => ifPermitted(listOf(phoneConnectionKind, parley)),
    phoneNumbers: () => ifPermitted(listOf(phoneNumberKind, parley)),
  }
  return new Map(
    await Promise.all(
      kindNames.map(async (kind) => [kind, wanted.has(kind) ? await read[kind]() : []] as const),
    ),
  )
}

/** Returns no resources if the key may not read them. Keys of earlier versions have no scopes of the telephone. */
async function ifPermitted(reading: Promise<PresentResource[]>): Promise<PresentResource[]> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof PermissionError) return []
    throw error
  }
}

async function listOf<Entry, Resource extends Stored, Input>(
  kind: ManagedKind<Entry, Resource, Input>,
  parley: Parley,
): Promise<PresentResource[]> {
  const found: PresentResource[] = []
  for await (const stored of kind.calls(parley).list({ Limit: pageSize }))
    found.push(present(kind, parley, stored))
  return found
}

function present<Entry, Resource extends Stored, Input>(
  kind: ManagedKind<Entry, Resource, Input>,
  parley: Parley,
  stored: Resource,
): PresentResource {
  const { id, name, externalId, managedBy } = stored
  const calls = kind.calls(parley)
  return {
    id,
    name,
    externalId,
    managedBy,
    kind: kind.name,
    noun: kind.noun,
    headerNames: kind.headerNamesOf(stored),
    secretFields: Object.entries(secretFlags).flatMap(([flag, field]) =>
      Reflect.get(stored, flag) === true ? [field] : [],
    ),
    formWith: (nameOf) => kind.formOfStored(stored, nameOf),
    async reread() {
      const { data, etag } = await calls.get(id).withResponse()
      return { resource: present(kind, parley, data), etag: etag ?? '' }
    },
    remove: (etag) => calls.delete(id, { ifMatch: etag }),
  }
}
