import type { ConnectionKind } from '@parley/contract'
import type { AgentRecord, ConnectionRecord } from '../../ports/agent-stores.js'
import type { ChatTarget } from '../../ports/chat-model.js'
import type { Stores } from '../../ports/database.js'
import type { Cipher } from '../../ports/secrets.js'

/** The reason why an agent cannot answer in text, for the caller. */
interface NoChatTarget {
  readonly ok: false
  readonly problem: string
}

/** A chat model with its connection, whose key is still sealed. */
export interface ChatSource {
  readonly connection: ConnectionRecord
  readonly model: string
}

/**
 * Returns the chat model of an agent. The agent's connection is used, or otherwise the organization's default
 * connection.
 */
export async function chatTargetOf(
  cipher: Cipher,
  stores: Stores,
  agent: Pick<AgentRecord, 'organizationId' | 'connectionId' | 'model'>,
): Promise<{ readonly ok: true; readonly target: ChatTarget } | NoChatTarget> {
  const connection = await stores.connections.findForAgent(agent.organizationId, agent.connectionId)
  if (connection === null)
    return noTarget('The agent has no connection, and the organization has no default connection.')
  const found = await chatSourceOf(stores, connection, agent.model)
  return found.ok ? { ok: true, target: openChatSource(found.source, cipher) } : found
}

/**
 * Returns the chat model of a connection. For an engine connection, returns the model that it provides the
 * voice for.
 */
export async function chatSourceOf(
  stores: Stores,
  connection: ConnectionRecord,
  agentModel: string | null,
): Promise<{ readonly ok: true; readonly source: ChatSource } | NoChatTarget> {
  const { name, kind, chatConnectionId } = connection
  if (connection.governanceDisabled) return noTarget(`An administrator has disabled the connection ${name}.`)
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
  // Such connections cannot be saved. This check prevents an infinite loop if the rows are inconsistent
  // anyway.
  if (other === null || other.chatConnectionId !== null)
    return noTarget(`The connection ${name} uses another connection for text, which does not exist.`)
  return chatSourceOf(stores, other, agentModel)
}

const noTarget = (problem: string): NoChatTarget => ({ ok: false, problem })

/** The engine has only one model. */
const embeddedModel = 'parley-engine'

const namesNoModel = (name: string, what: string) =>
  `Neither the agent nor the connection ${name} has a text model. Set the connection's models.chat to ${what}.`

const voiceOnly = (name: string) =>
  `The connection ${name} is of kind azure-voice-live, which has no text models. Use another connection for text.`

/** Hints for a missing model. There is no default, because no model of a provider suits every agent. */
const missingModel: Readonly<Record<ConnectionKind, (connectionName: string) => string>> = {
  openai: (name) => namesNoModel(name, "one of OpenAI's chat models"),
  'azure-openai': (name) => namesNoModel(name, 'the name of a deployment'),
  'azure-voice-live': voiceOnly,
  qwen: (name) => namesNoModel(name, "one of Qwen's chat models"),
  xai: (name) => namesNoModel(name, "one of xAI's chat models"),
  google: (name) => namesNoModel(name, "one of Google's Gemini models"),
  'openai-compatible': (name) => namesNoModel(name, 'a model that the server offers'),
  anthropic: (name) => namesNoModel(name, "one of Anthropic's models"),
  embedded: (name) => `The connection ${name} has no text model.`,
}

type ConnectionId = Pick<ConnectionRecord, 'organizationId' | 'id'>

/** Returns the decrypted key of a connection, or null if it has none. */
export function openApiKey(connection: ConnectionRecord, cipher: Cipher): string | null {
  const { sealedApiKey } = connection
  return sealedApiKey === null ? null : cipher.open(sealedApiKey, secretContext(connection))
}

export function sealApiKey(connection: ConnectionId, apiKey: string | null, cipher: Cipher): string | null {
  return apiKey === null ? null : cipher.seal(apiKey, secretContext(connection))
}

/** The sealing context of a connection's key. The key cannot be opened in another context. */
export function secretContext({ organizationId, id }: ConnectionId): string {
  return `connection/${organizationId}/${id}/apiKey`
}
