import {
  Connection,
  ConnectionInput,
  type ConnectionListQuery,
  type ConnectionPatch,
  type ConnectionUpsert,
  connectionAddress,
  readServiceAccountKey,
} from '@parley/contract'
import type { ConnectionRecord } from '../../ports/agent-stores.js'
import type { Stores } from '../../ports/database.js'
import type { ProviderOutbound } from '../../ports/outbound.js'
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
import { openApiKey, sealApiKey, secretContext } from './chat-target.js'

const type = 'Connection'

/** A connection without its key. Callers only see whether a key is set. */
type PresentedConnection = ConnectionRecord & { readonly hasApiKey: boolean }

interface ConnectionsDependencies {
  readonly clock: Clock
  readonly limits: Limits
  readonly cipher: Cipher
  readonly providerOutbound: ProviderOutbound
}

export type Connections = ReturnType<typeof makeConnections>

export function makeConnections({ clock, limits, cipher, providerOutbound }: ConnectionsDependencies) {
  const store = (stores: Stores) => stores.connections
  const kind = {
    type,
    clock,
    limits,
    counted: 'connections',
    store,
    duplicate: 'Another connection of this organization already has this externalId.',
  } as const

  /** Returns the new record for this input and the current record. */
  function apply(current: ConnectionRecord, { apiKey, models, ...input }: ConnectionInput): ConnectionRecord {
    refuseAddress(providerOutbound, current, input)
    if (typeof apiKey === 'string') refuseTokenAddress(providerOutbound, apiKey)
    // A key is only sent to the address that it was entered for.
    const isSamePosition =
      connectionAddress(current) === connectionAddress(input) && current.kind === input.kind
    const sealedBefore = isSamePosition ? current.sealedApiKey : null
    const isSameKey =
      apiKey === undefined || isKey({ ...current, sealedApiKey: sealedBefore }, apiKey, cipher)
    const sealedApiKey = isSameKey ? sealedBefore : sealApiKey(current, apiKey, cipher)
    return { ...current, ...input, models: allModels(models), sealedApiKey }
  }

  /**
   * Removes the default mark from the previous default connection. This is a separate change with its own
   * audit record.
   */
  async function clearOtherDefaults(scope: CallerScope, keptId: string): Promise<void> {
    const { stores, caller } = scope
    const now = clock.now().toISOString()
    const details = { changed: ['isDefault'] }
    for (const id of await stores.connections.clearDefaultExcept(caller.organizationId, keptId, now))
      await recordChange(clock, scope, { action: 'connection.update', type, id, details })
  }

  async function change(
    scope: CallerScope,
    { id, ifMatch }: TargetVersion,
    inputFor: (current: ConnectionRecord) => ConnectionInput,
  ): Promise<Changed<PresentedConnection>> {
    const { stores, caller } = scope
    // This lock comes first. Otherwise, a transaction that has locked a connection could wait for another
    // that is about to remove its default mark.
    await stores.connections.lockDefault(caller.organizationId)
    const { before, after } = await changeResource(kind, scope, {
      id,
      ifMatch,
      change: async (current) => {
        const next = apply(current, inputFor(current))
        await requireChatConnection(stores, current, next)
        if (next.isDefault) await clearOtherDefaults(scope, id)
        return next
      },
    })
    const changed = changedFields(before, after)
    await recordChange(clock, scope, { action: 'connection.update', type, id, details: { changed } })
    return { ...present(after), changed: changed.map((name) => (name === 'sealedApiKey' ? 'apiKey' : name)) }
  }

  async function create(scope: CallerScope, input: ConnectionInput): Promise<Changed<PresentedConnection>> {
    const { stores, caller } = scope
    const { apiKey: _, ...plain } = input
    const blank = {
      ...newResource(clock, caller.organizationId),
      ...plain,
      models: allModels(input.models),
      sealedApiKey: null,
      isFromEnvironment: false,
    }
    const record = apply(blank, input)
    const { id } = record
    if (record.isDefault) {
      await stores.connections.lockDefault(caller.organizationId)
      await clearOtherDefaults(scope, id)
    }
    await requireChatConnection(stores, null, record)
    await addResource(kind, scope, record)
    const details = { name: record.name, kind: record.kind }
    await recordChange(clock, scope, { action: 'connection.create', type, id, details })
    return present(record)
  }

  const replace = (scope: CallerScope, target: TargetVersion, input: ConnectionInput) =>
    change(scope, target, () => input)

  return {
    async list(scope: CallerScope, query: ConnectionListQuery) {
      const page = await listResources(kind, scope, { query, filter: { search: query.Search } })
      return { ...page, items: page.items.map(present) }
    },

    read: async (scope: CallerScope, id: string) => present(await readResource(kind, scope, id)),

    create,

    replace,

    upsert(scope: CallerScope, target: TargetExternalId, upsert: ConnectionUpsert) {
      const input = { ...upsert, externalId: target.externalId }
      return upsertResource(scope.stores.connections, scope, {
        ...target,
        create: () => create(scope, input),
        replace: (current) => replace(scope, current, input),
      })
    },

    patch: (scope: CallerScope, target: TargetVersion, patch: ConnectionPatch) =>
      change(scope, target, (current) =>
        applyPatch({ wire: Connection, input: ConnectionInput }, present(current), patch),
      ),

    async remove(scope: CallerScope, target: TargetVersion): Promise<undefined> {
      const { id, name } = await removeResource(kind, scope, {
        ...target,
        check: (current) => refuseAnyUse(scope.stores, current),
      })
      await recordChange(clock, scope, { action: 'connection.delete', type, id, details: { name } })
    },
  }
}

async function refuseAnyUse(stores: Stores, connection: ConnectionRecord): Promise<void> {
  await refuseUse(stores, connection)
  const { organizationId, id, isDefault } = connection
  const users = await stores.agents.countUsing(organizationId, id, isDefault)
  if (users > 0)
    throw new DomainError(
      'Conflict',
      `Agents use this connection: ${users}. Assign another connection to them first.`,
    )
}

/**
 * Returns whether the connection has this key, sealed with the current secret. Returns false if the key
 * cannot be opened.
 */
function isKey(connection: ConnectionRecord, apiKey: string | null, cipher: Cipher): boolean {
  try {
    const { sealedApiKey } = connection
    const isCurrent = sealedApiKey === null || cipher.isCurrent(sealedApiKey, secretContext(connection))
    return isCurrent && openApiKey(connection, cipher) === apiKey
  } catch {
    return false
  }
}

function present(record: ConnectionRecord): PresentedConnection {
  return { ...record, hasApiKey: record.sealedApiKey !== null }
}

function allModels(models: ConnectionInput['models']): Connection['models'] {
  return {
    chat: models.chat ?? null,
    realtime: models.realtime ?? null,
    transcription: models.transcription ?? null,
    speech: models.speech ?? null,
  }
}

function refuseAddress(
  providerOutbound: ProviderOutbound,
  { isFromEnvironment }: ConnectionRecord,
  input: Pick<ConnectionInput, 'kind' | 'baseUrl'>,
): void {
  if (input.baseUrl === null) return
  const outbound = providerOutbound.forConnection({ address: connectionAddress(input), isFromEnvironment })
  const reason = outbound.explainRefusal(input.baseUrl)
  if (reason !== null) throw invalidRequest([{ path: 'baseUrl', message: reason }])
}

/** The key of a service account names the address that it signs in at. It is checked like the address of a connection. */
function refuseTokenAddress(providerOutbound: ProviderOutbound, apiKey: string): void {
  const key = readServiceAccountKey(apiKey)
  if (key === null) return
  const outbound = providerOutbound.forConnection({ address: key.tokenUrl, isFromEnvironment: false })
  const reason = outbound.explainRefusal(key.tokenUrl)
  if (reason !== null) throw invalidRequest([{ path: 'apiKey', message: `token_uri: ${reason}` }])
}

/**
 * Throws if the chat connection does not exist or has no chat models, or if the change removes chat models
 * from a connection that others refer to. The two checks cannot race: a transaction that adds a reference
 * locks the row of the referenced connection, and a transaction that changes a connection locks the row
 * before it looks for references.
 */
async function requireChatConnection(
  stores: Stores,
  current: ConnectionRecord | null,
  next: ConnectionRecord,
): Promise<void> {
  if (current !== null && current.kind !== 'embedded' && next.kind === 'embedded')
    await refuseUse(stores, current)
  const { organizationId, chatConnectionId } = next
  // The previous chat connection needs no check: it still exists and has the right kind, because a referenced
  // connection cannot change its kind.
  if (chatConnectionId === null || chatConnectionId === current?.chatConnectionId) return
  const message = await mistakeIn(stores, organizationId, next.id, chatConnectionId)
  if (message !== null) throw invalidRequest([{ path: 'chatConnectionId', message }])
}

/**
 * Throws if engine connections use this connection's chat model, because their agents could not answer
 * without it.
 */
async function refuseUse(stores: Stores, { organizationId, id }: ConnectionRecord): Promise<void> {
  const users = await stores.connections.countVoiceConnections(organizationId, id)
  if (users > 0)
    throw new DomainError(
      'Conflict',
      `Connections use this one for text: ${users}. Change their chatConnectionId first.`,
    )
}

async function mistakeIn(
  stores: Stores,
  organizationId: string,
  ownId: string,
  chatConnectionId: string,
): Promise<string | null> {
  if (chatConnectionId === ownId) return 'must be another connection'
  if (!(await stores.connections.holdExisting(organizationId, chatConnectionId)))
    return 'must be a connection of this organization'
  const named = await stores.connections.find(organizationId, chatConnectionId)
  return named?.kind === 'embedded' ? 'must not be a connection of kind embedded' : null
}
