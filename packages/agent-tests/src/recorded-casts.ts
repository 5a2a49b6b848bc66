import type { Agent, Connection, Parley } from '@parley/sdk'
import { type ProviderTraffic, scopeOfConnection } from './provider-traffic.js'
import type { Cast } from './run-tests.js'

export interface RecordedCastOptions {
  readonly parley: Parley
  readonly traffic: ProviderTraffic
  /** The API keys of connections, by external id. The service does not return stored keys. */
  readonly keys: ReadonlyMap<string, string>
  /** The key of the default connection, for agents that name no connection. */
  readonly defaultKey: string | null
}

/** Players accept any key. */
const replayKey = 'replayed'

/** Gives each run copies of its agents that differ only in the URL of their provider. */
export class RecordedCasts {
  readonly #options: RecordedCastOptions
  #connections: Promise<readonly Connection[]> | null = null

  constructor(options: RecordedCastOptions) {
    this.#options = options
  }

  async castFor(scope: string, { agentId, judgeId, userId }: Cast): Promise<Cast> {
    const copies: Copies = { scope, connections: new Map(), agents: new Map() }
    return {
      agentId: await this.#copyAgent(copies, agentId),
      judgeId: judgeId === null ? null : await this.#copyAgent(copies, judgeId),
      userId: userId === null ? null : await this.#copyAgent(copies, userId),
    }
  }

  /**
   * Copies an agent with its sub-agents. The names stay the same, because the model calls sub-agents by
   * name.
   */
  #copyAgent(copies: Copies, id: string): Promise<string> {
    return remembered(copies.agents, id, async () => {
      const { parley } = this.#options
      const { tools, subAgentIds, connectionId, ...agent } = await parley.agents.get(id)
      const below: string[] = []
      for (const subAgentId of subAgentIds) below.push(await this.#copyAgent(copies, subAgentId))
      const copy = await parley.agents.create({
        ...fieldsOf(agent),
        tools,
        connectionId: await this.#copyConnection(copies, connectionId),
        subAgentIds: below,
      })
      return copy.id
    })
  }

  async #copyConnection(copies: Copies, id: string | null): Promise<string | null> {
    this.#connections ??= allOf(this.#options.parley.connections.list({ Limit: 200 }))
    const connections = await this.#connections
    const connection = connections.find((one) => (id === null ? one.isDefault : one.id === id))
    // An embedded connection without a chat connection calls no provider.
    if (connection === undefined || (connection.kind === 'embedded' && connection.chatConnectionId === null))
      return id
    return remembered(copies.connections, connection.id, () => this.#makeConnection(copies, connection))
  }

  async #makeConnection(copies: Copies, connection: Connection): Promise<string> {
    const { parley, traffic } = this.#options
    const { name, kind, models, realtimeEnabled, chatConnectionId } = connection
    const fields = { name, kind, models, realtimeEnabled }
    if (kind === 'embedded') {
      const chat = await this.#copyConnection(copies, chatConnectionId)
      return (await parley.connections.create({ ...fields, chatConnectionId: chat })).id
    }
    const scope = scopeOfConnection(copies.scope, connection)
    const baseUrl = await traffic.baseUrlFor(scope, connection)
    return (await parley.connections.create({ ...fields, baseUrl, apiKey: this.#keyOf(connection) })).id
  }

  #keyOf({ externalId, hasApiKey, isDefault }: Connection): string | null {
    const { traffic, keys, defaultKey } = this.#options
    if (!hasApiKey) return null
    if (traffic.kind === 'replayed') return replayKey
    return keys.get(externalId ?? '') ?? (isDefault ? defaultKey : null)
  }
}

interface Copies {
  readonly scope: string
  readonly connections: Map<string, string>
  readonly agents: Map<string, string>
}

async function remembered(
  known: Map<string, string>,
  id: string,
  make: () => Promise<string>,
): Promise<string> {
  const copy = known.get(id) ?? (await make())
  known.set(id, copy)
  return copy
}

function fieldsOf({
  id: _,
  createdAt: __,
  updatedAt: ___,
  externalId: ____,
  managedBy: _____,
  ...fields
}: Omit<Agent, 'tools' | 'subAgentIds' | 'connectionId'>) {
  return fields
}

async function allOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}
