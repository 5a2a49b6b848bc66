import type { ConnectionKind } from '@parley/contract'
import type { AgentRecord, ConnectionRecord } from '../../ports/agent-stores.js'
import type { ChatTarget } from '../../ports/chat-model.js'
import type { Stores } from '../../ports/database.js'
import type { Cipher } from '../../ports/secrets.js'

/** Why an agent cannot be asked in text, fit for the caller. */
interface NoChatTarget {
  readonly ok: false
  readonly problem: string
}

/** Which chat model answers, and whose it is; its key is not opened yet. */
export interface ChatSource {
  readonly connection: ConnectionRecord
  readonly model: string
}

/** Which chat model answers for this agent, and where: its connection's, or the organization's default one's. */
export async function chatTargetOf(
  cipher: Cipher,
  stores: Stores,
  agent: Pick<AgentRecord, 'organizationId' | 'connectionId' | 'model'>,
): Promise<{ readonly ok: true; readonly target: ChatTarget } | NoChatTarget> {
  const connection = await stores.connections.findForAgent(agent.organizationId, agent.connectionId)
  if (connection === null)
    return noTarget('The agent has no connection, and the organization has no default one.')
  const found = await chatSourceOf(stores, connection, agent.model)
  return found.ok ? { ok: true, target: openChatSource(found.source, cipher) } : found
}

/** The chat model behind a connection: its own, or the one that it speaks for. */
export async function chatSourceOf(
  stores: Stores,
  connection: ConnectionRecord,
  agentModel: string | null,
): Promise<{ readonly ok: true; readonly source: ChatSource } | NoChatTarget> {
  const { name, kind, chatConnectionId } = connection
  if (connection.governanceDisabled)
    return noTarget(`The connection ${name} is switched off by an administrator.`)
  if (chatConnectionId !== null)
    return voicedSourceOf(stores, { ...connection, chatConnectionId }, agentModel)
  const model = agentModel ?? connection.models.chat ?? (kind === 'embedded' ? embeddedModel : null)
  return model === null ? noTarget(missingModel[kind](name)) : { ok: true, source: { connection, model } }
}

export function openChatSource({ connection, model }: ChatSource, cipher: Cipher): ChatTarget {
  const { id, organizationId, kind, baseUrl, isFromEnvironment } = connection
  const apiKey = openApiKey(connection, cipher)
  return { organizationId, connectionId: id, kind, baseUrl, apiKey, model, isFromEnvironment }
}

async function voicedSourceOf(
  stores: Stores,
  { name, organizationId, chatConnectionId }: ConnectionRecord & { readonly chatConnectionId: string },
  agentModel: string | null,
): ReturnType<typeof chatSourceOf> {
  const other = await stores.connections.find(organizationId, chatConnectionId)
  // Neither can be saved, but a chain must never loop, even if the rows are wrong.
  if (other === null || other.chatConnectionId !== null)
    return noTarget(`The connection ${name} speaks for one that is not there.`)
  return chatSourceOf(stores, other, agentModel)
}

const noTarget = (problem: string): NoChatTarget => ({ ok: false, problem })

/** The engine has but one. */
const embeddedModel = 'parley-engine'

const namesNoModel = (name: string, what: string) =>
  `Neither the agent nor the connection ${name} names a text model. Set models.chat of the connection to ${what}.`

/** No provider has a model that is right for everybody, so none is taken unasked. */
const missingModel: Readonly<Record<ConnectionKind, (connectionName: string) => string>> = {
  openai: (name) => namesNoModel(name, "one of OpenAI's chat models"),
  'azure-openai': (name) => namesNoModel(name, 'the name of a deployment'),
  'openai-compatible': (name) => namesNoModel(name, 'a model that the server offers'),
  anthropic: (name) => namesNoModel(name, "one of Anthropic's models"),
  embedded: (name) => `The connection ${name} names no text model.`,
}

type ConnectionId = Pick<ConnectionRecord, 'organizationId' | 'id'>

/** The key that a connection was given, as its provider takes it; null where it has none. */
export function openApiKey(connection: ConnectionRecord, cipher: Cipher): string | null {
  const { sealedApiKey } = connection
  return sealedApiKey === null ? null : cipher.open(sealedApiKey, secretContext(connection))
}

/** A connection's key as it is stored. */
export function sealApiKey(connection: ConnectionId, apiKey: string | null, cipher: Cipher): string | null {
  return apiKey === null ? null : cipher.seal(apiKey, secretContext(connection))
}

/** The sealing context of a connection's key, so that it cannot be opened elsewhere. */
export function secretContext({ organizationId, id }: ConnectionId): string {
  return `connection/${organizationId}/${id}/apiKey`
}
