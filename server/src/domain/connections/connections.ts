import { Connection, ConnectionInput, type ConnectionListQuery, type ConnectionPatch } from '@parley/contract'
import type { Cipher } from '../../ports/cipher.js'
import type { Clock } from '../../ports/clock.js'
import type { ConnectionRecord } from '../../ports/connection-store.js'
import type { Stores } from '../../ports/database.js'
import type { Outbound } from '../../ports/outbound.js'
import { recordChange } from '../audit/record-change.js'
import type { Caller } from '../caller.js'
import { DomainError, invalidRequest } from '../domain-error.js'
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
import { refuseUse, requireChatConnection } from './chat-connection.js'
import { addressOf } from './connection-address.js'

const kind = { type: 'Connection', store: (stores: Stores) => stores.connections } as const

/** A connection as callers see it: that there is a key, never the key. */
export type PresentedConnection = ConnectionRecord & { readonly hasApiKey: boolean }

export interface ConnectionsDependencies {
  readonly clock: Clock
  readonly cipher: Cipher
  readonly outbound: Outbound
}

export type Connections = ReturnType<typeof makeConnections>

export function makeConnections({ clock, cipher, outbound }: ConnectionsDependencies) {
  /** The record that the input makes of the current one. A key goes only to the address it was given for. */
  function apply(current: ConnectionRecord, { apiKey, models, ...input }: ConnectionInput): ConnectionRecord {
    refuseAddress(outbound, input.baseUrl)
    const kept =
      addressOf(current) === addressOf(input) && current.kind === input.kind ? current.sealedApiKey : null
    const sealedApiKey =
      typeof apiKey === 'string' ? cipher.seal(apiKey, secretContext(current)) : apiKey === null ? null : kept
    return { ...current, ...input, models: allModels(models), sealedApiKey }
  }

  /** Takes the mark from the connection that has it; that too is a change, and the log hears of it. */
  async function clearOtherDefaults(stores: Stores, caller: Caller, keptId: string): Promise<void> {
    const now = clock.now().toISOString()
    for (const id of await stores.connections.clearDefaultExcept(caller.organizationId, keptId, now))
      await recordChange(stores, clock, caller, {
        action: 'connection.update',
        type: kind.type,
        id,
        details: { changed: ['isDefault'] },
      })
  }

  async function change(
    stores: Stores,
    caller: Caller,
    id: string,
    ifMatch: IfMatch,
    inputFor: (current: ConnectionRecord) => ConnectionInput,
  ): Promise<PresentedConnection> {
    let before: ConnectionRecord | undefined
    // First of all: whoever holds a connection must not wait for the one who is about to take its mark.
    await stores.connections.lockDefault(caller.organizationId)
    const after = await changeResource(kind, stores, clock, caller, id, ifMatch, async (current) => {
      before = current
      const next = apply(current, inputFor(current))
      await requireChatConnection(stores, current, next)
      if (next.isDefault) await clearOtherDefaults(stores, caller, id)
      return next
    })
    const details = { changed: changedFields(before ?? {}, after) }
    await recordChange(stores, clock, caller, { action: 'connection.update', type: kind.type, id, details })
    return present(after)
  }

  return {
    async list(stores: Stores, caller: Caller, query: ConnectionListQuery) {
      const page = await listResources(kind, stores, caller, { search: query.Search }, query)
      return { ...page, items: page.items.map(present) }
    },

    read: async (stores: Stores, caller: Caller, id: string) =>
      present(await readResource(kind, stores, caller, id)),

    async create(stores: Stores, caller: Caller, input: ConnectionInput): Promise<PresentedConnection> {
      const { apiKey: _, ...plain } = input
      const blank = {
        ...newResource(clock, caller.organizationId),
        ...plain,
        models: allModels(input.models),
        sealedApiKey: null,
        isFromEnvironment: false,
      }
      const record = apply(blank, input)
      if (record.isDefault) {
        await stores.connections.lockDefault(caller.organizationId)
        await clearOtherDefaults(stores, caller, record.id)
      }
      await requireChatConnection(stores, null, record)
      await addResource(kind, stores, record)
      const details = { name: record.name, kind: record.kind }
      await recordChange(stores, clock, caller, {
        action: 'connection.create',
        type: kind.type,
        id: record.id,
        details,
      })
      return present(record)
    },

    replace: (stores: Stores, caller: Caller, id: string, ifMatch: IfMatch, input: ConnectionInput) =>
      change(stores, caller, id, ifMatch, () => input),

    patch: (stores: Stores, caller: Caller, id: string, ifMatch: IfMatch, patch: ConnectionPatch) =>
      change(stores, caller, id, ifMatch, (current) =>
        applyPatch(Connection, ConnectionInput, present(current), patch),
      ),

    async remove(stores: Stores, caller: Caller, id: string, ifMatch: IfMatch): Promise<undefined> {
      const removed = await removeResource(kind, stores, clock, caller, id, ifMatch, async (current) => {
        await refuseUse(stores, current)
        const users = await stores.agents.countUsing(caller.organizationId, id, current.isDefault)
        if (users > 0)
          throw new DomainError(
            'Conflict',
            `Agents that use this connection: ${users}. Give them another one first.`,
          )
      })
      const details = { name: removed.name }
      await recordChange(stores, clock, caller, { action: 'connection.delete', type: kind.type, id, details })
    },
  }
}

/** Where a connection's key is stored, so that it opens nowhere else. */
export function secretContext(connection: { readonly organizationId: string; readonly id: string }): string {
  return `connection/${connection.organizationId}/${connection.id}/apiKey`
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

function refuseAddress(outbound: Outbound, baseUrl: string | null): void {
  const reason = baseUrl === null ? null : outbound.explainRefusal(baseUrl)
  if (reason !== null) throw invalidRequest([{ path: 'baseUrl', message: reason }])
}
