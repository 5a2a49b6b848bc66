import type { ConnectionKind } from '@parley/contract'
import type { Database } from '../../ports/database.js'
import { chatSourceOf } from '../connections/chat-target.js'

/** The model for those agents of the first organization that have no connection of their own. */
export interface AnsweringModel {
  readonly connectionName: string
  readonly kind: ConnectionKind
  /** The chat model, or null if none is configured. */
  readonly model: string | null
  readonly baseUrl: string | null
  /** Whether the built-in engine only provides the voice for the model, or is the model itself. */
  readonly isSpokenByEngine: boolean
  readonly isFromEnvironment: boolean
}

/** Returns null if there is no default connection. */
export async function findAnsweringModel({ stores }: Database): Promise<AnsweringModel | null> {
  const installation = await stores.installation.find()
  if (installation === null) return null
  const connection = await stores.connections.findForAgent(installation.firstOrganizationId, null)
  if (connection === null) return null
  const found = await chatSourceOf(stores, connection, null)
  const answering = found.ok ? found.source.connection : connection
  const spoken =
    connection.chatConnectionId === null || found.ok
      ? answering
      : ((await stores.connections.find(installation.firstOrganizationId, connection.chatConnectionId)) ??
        connection)
  return {
    connectionName: spoken.name,
    kind: spoken.kind,
    model: found.ok ? found.source.model : null,
    baseUrl: spoken.baseUrl,
    isSpokenByEngine: connection.kind === 'embedded',
    isFromEnvironment: spoken.isFromEnvironment,
  }
}
