import type { ConnectionRecord } from '../../ports/connection-store.js'
import type { Stores } from '../../ports/database.js'
import { DomainError, invalidRequest } from '../domain-error.js'

/**
 * Refuses a connection that speaks for one that is not there or cannot think, and one that would stop thinking for
 * others. The two cannot pass each other: who names a connection holds its row, and who changes it has locked it before
 * asking who names it.
 */
export async function requireChatConnection(
  stores: Stores,
  current: ConnectionRecord | null,
  next: ConnectionRecord,
): Promise<void> {
  if (current !== null && current.kind !== 'embedded' && next.kind === 'embedded')
    await refuseUse(stores, current)
  const { organizationId, chatConnectionId } = next
  // What it named before is there still, and of the right kind: nothing that is named can be changed so.
  if (chatConnectionId === null || chatConnectionId === current?.chatConnectionId) return
  const message = await mistakeIn(stores, organizationId, next.id, chatConnectionId)
  if (message !== null) throw invalidRequest([{ path: 'chatConnectionId', message }])
}

/** Refuses where engines speak for this connection's text model: without it they would fall silent. */
export async function refuseUse(stores: Stores, { organizationId, id }: ConnectionRecord): Promise<void> {
  const users = await stores.connections.countSpeakingFor(organizationId, id)
  if (users > 0)
    throw new DomainError(
      'Conflict',
      `Connections that speak for this one's text model: ${users}. Change their chatConnectionId first.`,
    )
}

async function mistakeIn(
  stores: Stores,
  organizationId: string,
  ownId: string,
  chatConnectionId: string,
): Promise<string | null> {
  if (chatConnectionId === ownId) return 'must name another connection'
  if (!(await stores.connections.holdExisting(organizationId, chatConnectionId)))
    return 'names no connection of this organization'
  const named = await stores.connections.find(organizationId, chatConnectionId)
  return named?.kind === 'embedded' ? 'must not name a connection of kind embedded' : null
}
