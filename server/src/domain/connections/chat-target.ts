import type { ConnectionKind } from '@parley/contract'
import type { AgentRecord } from '../../ports/agent-store.js'
import type { ChatTarget } from '../../ports/chat-model.js'
import type { Cipher } from '../../ports/cipher.js'
import type { ConnectionRecord } from '../../ports/connection-store.js'
import type { Stores } from '../../ports/database.js'
import { secretContext } from './connections.js'

/** Why an agent cannot be asked in text, fit for the caller. */
export interface NoChatTarget {
  readonly problem: string
}

/** Which text model answers, and whose it is; its key is not opened yet. */
export interface ChatSource {
  readonly connection: ConnectionRecord
  readonly model: string
}

/** Which text model answers for this agent, and where: its connection's, or the organization's default one's. */
export async function chatTargetOf(
  stores: Stores,
  cipher: Cipher,
  agent: Pick<AgentRecord, 'organizationId' | 'connectionId' | 'model'>,
): Promise<ChatTarget | NoChatTarget> {
  const connection = await stores.connections.findForAgent(agent.organizationId, agent.connectionId)
  if (connection === null)
    return { problem: 'The agent has no connection, and the organization has no default one.' }
  const source = await chatSourceOf(stores, connection, agent.model)
  return 'problem' in source ? source : openChatSource(source, cipher)
}

/** The text model behind a connection: its own, or the one that it speaks for. */
export async function chatSourceOf(
  stores: Stores,
  connection: ConnectionRecord,
  agentModel: string | null,
): Promise<ChatSource | NoChatTarget> {
  if (connection.governanceDisabled)
    return { problem: `The connection ${connection.name} is switched off by an administrator.` }
  if (connection.chatConnectionId !== null) return spokenForBy(stores, connection, agentModel)
  const model =
    agentModel ?? connection.models.chat ?? (connection.kind === 'embedded' ? embeddedModel : null)
  return model === null ? { problem: missingModel[connection.kind](connection.name) } : { connection, model }
}

export function openChatSource({ connection, model }: ChatSource, cipher: Cipher): ChatTarget {
  const { kind, baseUrl } = connection
  return { kind, baseUrl, apiKey: openKey(connection, cipher), model }
}

async function spokenForBy(
  stores: Stores,
  { name, organizationId, chatConnectionId }: ConnectionRecord,
  agentModel: string | null,
): Promise<ChatSource | NoChatTarget> {
  const other = await stores.connections.find(organizationId, chatConnectionId ?? '')
  // Neither can be saved; but a chain must not lead in a circle, whatever the rows say.
  if (other === null || other.chatConnectionId !== null)
    return { problem: `The connection ${name} speaks for one that is not there.` }
  return chatSourceOf(stores, other, agentModel)
}

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

function openKey(connection: ConnectionRecord, cipher: Cipher): string | null {
  const { sealedApiKey } = connection
  return sealedApiKey === null ? null : cipher.open(sealedApiKey, secretContext(connection))
}
