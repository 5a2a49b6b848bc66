import type { ConnectionKind } from '@parley/contract'
import { z } from 'zod'
import type { ConnectionRecord } from '../../ports/agent-stores.js'
import type { Database, Stores } from '../../ports/database.js'
import type { ProviderOutbound } from '../../ports/outbound.js'
import type { Cipher } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import { type CallerScope, systemCaller } from '../caller-scope.js'
import { openApiKey, sealApiKey } from '../connections/chat-target.js'
import type { Connections } from '../connections/connections.js'
import { DomainError } from '../domain-error.js'
import { newResource } from '../resources/resource.js'
import { builtInEngine } from './first-start.js'

/** A provider that the operator configured in the environment. */
interface EnvironmentProvider {
  readonly from: string
  readonly kind: 'openai' | 'openai-compatible' | 'anthropic'
  readonly apiKey: string | null
  readonly baseUrl: string | null
  readonly chatModel: string | null
  readonly isModelNamed: boolean
  readonly isVoiced: boolean
}

interface EnvironmentDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly cipher: Cipher
  readonly providerOutbound: ProviderOutbound
}

const inNoFile = { externalId: null, managedBy: null }

/**
 * Makes the provider from the environment the default connection of the first organization, and updates its
 * key, address and model from the environment. If the provider has only text models, the default is an engine
 * connection that provides the voice for them. If a user has selected another default since then, it is
 * preserved.
 */
export async function ensureEnvironmentConnections(
  dependencies: EnvironmentDependencies,
  provider: EnvironmentProvider,
): Promise<void> {
  const { database } = dependencies
  const installation = await database.stores.installation.find()
  if (installation === null) return
  // Called before the transaction, because a transaction must not hold locks during a network request.
  const listedModel = await findFirstModel(dependencies.providerOutbound, provider)
  await database.transaction(async (stores) => {
    await stores.installation.lock()
    const keeper = new EnvironmentConnections(
      dependencies,
      { ...provider, chatModel: provider.chatModel ?? listedModel },
      stores,
      installation.firstOrganizationId,
    )
    await keeper.ensure()
  })
}

/** The changes to the environment's connections during one start, in one transaction. */
class EnvironmentConnections {
  readonly #clock: Clock
  readonly #cipher: Cipher
  readonly #provider: EnvironmentProvider
  readonly #stores: Stores
  readonly #organizationId: string

  constructor(
    { clock, cipher }: EnvironmentDependencies,
    provider: EnvironmentProvider,
    stores: Stores,
    organizationId: string,
  ) {
    this.#clock = clock
    this.#cipher = cipher
    this.#provider = provider
    this.#stores = stores
    this.#organizationId = organizationId
  }

  async ensure(): Promise<void> {
    const { connections } = this.#stores
    await connections.lockDefault(this.#organizationId)
    const current = await connections.lockFromEnvironment(this.#organizationId)
    const stored = current.find(({ kind }) => kind !== 'embedded')
    const { isVoiced, from, chatModel } = this.#provider
    // Many machines set OLLAMA_HOST for other reasons. If no server responds there, the built-in engine stays
    // the default.
    if (stored === undefined && from === 'OLLAMA_HOST' && chatModel === null) return
    const isDefaultOurs = stored === undefined || current.some(({ isDefault }) => isDefault)
    const ours = stored
      ? await this.#update(stored)
      : await this.#insert({ ...this.#newProvider(), isDefault: !isVoiced })
    const engine = current.find(({ kind }) => kind === 'embedded')
    const answering = isVoiced
      ? (engine ?? (await this.#insert({ ...this.#newEngine(ours), isDefault: isDefaultOurs })))
      : ours
    if (isDefaultOurs && !answering.isDefault) await this.#takeDefault(answering)
  }

  #newProvider(): ConnectionRecord {
    const { apiKey, kind, baseUrl, chatModel, isVoiced } = this.#provider
    const resource = newResource(this.#clock, this.#organizationId)
    return {
      ...resource,
      name: nameOf(kind, isVoiced),
      kind,
      baseUrl,
      sealedApiKey: sealApiKey(resource, apiKey, this.#cipher),
      models: { chat: chatModel, realtime: null, transcription: null, speech: null },
      realtimeEnabled: !isVoiced,
      governanceDisabled: false,
      isDefault: false,
      isFromEnvironment: true,
      chatConnectionId: null,
      realtimeProtocol: null,
      ...inNoFile,
    }
  }

  #newEngine(spokenFor: ConnectionRecord): ConnectionRecord {
    return {
      ...newResource(this.#clock, this.#organizationId),
      name: engineName,
      kind: 'embedded',
      baseUrl: null,
      sealedApiKey: null,
      models: { chat: null, realtime: null, transcription: null, speech: null },
      realtimeEnabled: true,
      governanceDisabled: false,
      isDefault: false,
      isFromEnvironment: true,
      chatConnectionId: spokenFor.id,
      realtimeProtocol: null,
      ...inNoFile,
    }
  }

  async #insert(record: ConnectionRecord): Promise<ConnectionRecord> {
    if (record.isDefault) await this.#clearDefaultExcept(record)
    await this.#stores.connections.insert(record)
    await this.#record(record, 'connection.create')
    return record
  }

  async #update(current: ConnectionRecord): Promise<ConnectionRecord> {
    const { apiKey, kind, baseUrl, isVoiced } = this.#provider
    const chat = this.#chatModelFor(current)
    const isSameProvider = current.kind === kind && current.realtimeEnabled === !isVoiced
    if (
      isSameProvider &&
      current.baseUrl === baseUrl &&
      openApiKey(current, this.#cipher) === apiKey &&
      current.models.chat === chat
    )
      return current
    const isNameOurs = ownNames.has(current.name)
    return this.#write(current, {
      name: isNameOurs ? nameOf(kind, isVoiced) : current.name,
      kind,
      baseUrl,
      sealedApiKey: sealApiKey(current, apiKey, this.#cipher),
      models: current.kind === kind ? { ...current.models, chat } : { ...noModels, chat },
      realtimeEnabled: isSameProvider ? current.realtimeEnabled : !isVoiced,
    })
  }

  /**
   * Returns the model from the environment, otherwise the current model of the same provider, otherwise the
   * first model that the provider lists.
   */
  #chatModelFor(current: ConnectionRecord): string | null {
    const { kind, baseUrl, chatModel, isModelNamed } = this.#provider
    if (isModelNamed) return chatModel
    const isSamePosition = current.kind === kind && current.baseUrl === baseUrl
    return (isSamePosition ? current.models.chat : null) ?? chatModel
  }

  async #takeDefault(record: ConnectionRecord): Promise<void> {
    await this.#clearDefaultExcept(record)
    await this.#write(record, { isDefault: true })
  }

  async #clearDefaultExcept({ id }: ConnectionRecord): Promise<void> {
    const now = this.#clock.now().toISOString()
    await this.#stores.connections.clearDefaultExcept(this.#organizationId, id, now)
  }

  async #write(current: ConnectionRecord, changes: Partial<ConnectionRecord>): Promise<ConnectionRecord> {
    const updatedAt = this.#clock.now().toISOString()
    const next = { ...current, ...changes, version: current.version + 1, updatedAt }
    await this.#stores.connections.update(next, current.version)
    await this.#record(next, 'connection.update')
    return next
  }

  #record({ id }: ConnectionRecord, action: string): Promise<void> {
    const scope = { stores: this.#stores, caller: systemCaller(this.#organizationId) }
    const details = { from: this.#provider.from }
    return recordChange(this.#clock, scope, { action, type: 'Connection', id, details })
  }
}

const noModels = { chat: null, realtime: null, transcription: null, speech: null }

const engineName = 'Built-in engine (voice for the model from the environment)'

const names = {
  openai: 'OpenAI (from the environment)',
  anthropic: 'Anthropic (from the environment)',
  chat: 'Text models (from the environment)',
}
const ownNames: ReadonlySet<string> = new Set(Object.values(names))

function nameOf(kind: ConnectionKind, isVoiced: boolean): string {
  if (kind === 'anthropic') return names.anthropic
  return isVoiced ? names.chat : names.openai
}

const timeoutMilliseconds = 3000
const maxResponseBytes = 1024 * 1024

const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) })

/** A server with text models that is configured in the environment. */
interface ChatServer {
  readonly kind: string
  readonly apiKey: string | null
  readonly baseUrl: string | null
  readonly chatModel: string | null
  readonly isVoiced: boolean
}

/**
 * Returns the first model that a server lists, because most servers offer only one. Returns null if the
 * server lists none or does not respond in time, so that startup does not fail.
 */
async function findFirstModel(
  providerOutbound: ProviderOutbound,
  { kind, apiKey, baseUrl, chatModel, isVoiced }: ChatServer,
): Promise<string | null> {
  if (!isVoiced || kind !== 'openai-compatible' || baseUrl === null || chatModel !== null) return null
  try {
    const outbound = providerOutbound.forConnection({ address: baseUrl, isFromEnvironment: true })
    const headers = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }
    const response = await outbound.fetch(`${baseUrl}/models`, {
      headers,
      timeoutMilliseconds,
      maxResponseBytes,
    })
    const { data } = ModelList.parse(JSON.parse(await response.text()))
    return data.map(({ id }) => id).find((id) => !/embed/i.test(id)) ?? null
  } catch {
    return null
  }
}

interface ForgetDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly connections: Connections
}

/**
 * Removes the environment's connections and their key if the environment no longer configures a provider. If
 * one of them was the default, the built-in engine becomes the default again. Connections that agents use are
 * preserved.
 */
export async function forgetEnvironmentConnections({
  database,
  connections,
}: ForgetDependencies): Promise<void> {
  const installation = await database.stores.installation.find()
  if (installation === null) return
  await database.transaction(async (stores) => {
    await stores.installation.lock()
    const scope = { stores, caller: systemCaller(installation.firstOrganizationId) }
    await stores.connections.lockDefault(installation.firstOrganizationId)
    const made = await stores.connections.lockFromEnvironment(installation.firstOrganizationId)
    if (made.some(({ isDefault }) => isDefault)) await returnDefault(connections, scope)
    // Engine connections refer to the others, so they are removed first.
    const speaking = made.filter(({ chatConnectionId }) => chatConnectionId !== null)
    for (const connection of [...speaking, ...made.filter((one) => !speaking.includes(one))])
      await removeUnused(connections, scope, connection)
  })
}

async function returnDefault(connections: Connections, scope: CallerScope): Promise<void> {
  const engine = await scope.stores.connections.findBuiltIn(scope.caller.organizationId)
  if (engine === null) await connections.create(scope, builtInEngine)
  else await connections.patch(scope, { id: engine.id, ifMatch: null }, { isDefault: true })
}

async function removeUnused(
  connections: Connections,
  scope: CallerScope,
  { id }: ConnectionRecord,
): Promise<void> {
  try {
    await connections.remove(scope, { id, ifMatch: null })
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'Conflict')) throw error
  }
}
