import type { ConnectionKind, ConnectionTest } from '@parley/contract'
import { z } from 'zod'
import type { Cipher } from '../../ports/cipher.js'
import type { ConnectionRecord } from '../../ports/connection-store.js'
import type { Stores } from '../../ports/database.js'
import type { Outbound, OutboundResponse } from '../../ports/outbound.js'
import type { Caller } from '../caller.js'
import { notFound } from '../domain-error.js'
import { chatSourceOf } from './chat-target.js'
import { addressOf } from './connection-address.js'
import { secretContext } from './connections.js'

const timeoutMilliseconds = 15_000
const maxResponseBytes = 4 * 1024 * 1024

const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) })

type Finding = Omit<ConnectionTest, 'durationMilliseconds'>

/** Asks the provider for its models with the stored key, and says in words what came of it. */
export async function testConnection(
  stores: Stores,
  dependencies: { readonly cipher: Cipher; readonly outbound: Outbound },
  caller: Caller,
  id: string,
): Promise<ConnectionTest> {
  const connection = await stores.connections.find(caller.organizationId, id)
  if (connection === null) throw notFound('Connection')
  const start = performance.now()
  const finding = await tryChain(stores, connection, dependencies)
  return { ...finding, durationMilliseconds: Math.round(performance.now() - start) }
}

type Dependencies = Parameters<typeof testConnection>[1]

/** An engine that speaks for another connection is as good as that one. */
async function tryChain(
  stores: Stores,
  connection: ConnectionRecord,
  dependencies: Dependencies,
): Promise<Finding> {
  if (connection.chatConnectionId === null) return tryProvider(connection, dependencies)
  // What is switched off can be tried all the same, like every other connection.
  const source = await chatSourceOf(stores, { ...connection, governanceDisabled: false }, null)
  if ('problem' in source) return failed(null, source.problem)
  const finding = await tryProvider(source.connection, dependencies)
  return { ...finding, detail: `The engine speaks for ${source.connection.name}. ${finding.detail}` }
}

async function tryProvider(
  connection: ConnectionRecord,
  { cipher, outbound }: Dependencies,
): Promise<Finding> {
  const address = addressOf(connection)
  if (connection.kind === 'embedded' || address === null)
    return {
      ok: true,
      detail: 'The built-in engine is part of the service and needs no key.',
      providerStatus: null,
      missingModels: [],
    }
  const apiKey =
    connection.sealedApiKey === null ? null : cipher.open(connection.sealedApiKey, secretContext(connection))
  if (apiKey === null && connection.kind !== 'openai-compatible')
    return failed(null, 'No key is stored for this connection. Set apiKey and try again.')
  try {
    const headers = apiKey === null ? {} : keyHeaders[connection.kind](apiKey)
    const request = { headers, timeoutMilliseconds, maxResponseBytes }
    return await judge(await outbound.fetch(modelsUrl(connection.kind, address), request), connection)
  } catch (error) {
    if (outbound.isFailure(error)) return failed(null, error.detail)
    throw error
  }
}

const keyHeaders: Readonly<Record<ConnectionKind, (key: string) => Record<string, string>>> = {
  openai: (key) => ({ authorization: `Bearer ${key}` }),
  'openai-compatible': (key) => ({ authorization: `Bearer ${key}` }),
  'azure-openai': (key) => ({ 'api-key': key }),
  anthropic: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  embedded: () => ({}),
}

function modelsUrl(kind: ConnectionKind, address: string): string {
  return kind === 'azure-openai' && !/\/openai\/v1$/.test(address)
    ? `${address}/openai/v1/models`
    : `${address}/models`
}

async function judge(response: OutboundResponse, connection: ConnectionRecord): Promise<Finding> {
  const { status } = response
  const text = await response.text()
  if (status === 401 || status === 403)
    return failed(status, `The provider answered ${status}: it does not accept the stored key.`)
  if (status === 404)
    return failed(
      404,
      'The provider answered 404: there is no model list at this address. Check baseUrl, often it ends in /v1.',
    )
  if (status === 429)
    return failed(429, 'The provider answered 429: the key works, but its rate limit or quota is used up.')
  if (status < 200 || status > 299)
    return failed(status, `The provider answered ${status}. Try again, or check baseUrl.`)
  const models = readModels(text)
  if (models === null)
    return failed(status, 'Something answered at this address, but not with a list of models. Check baseUrl.')
  const missingModels = namedModels(connection).filter((name) => !models.includes(name))
  const detail =
    missingModels.length === 0
      ? `The provider accepts the key and lists ${models.length} models.`
      : `The provider accepts the key, but does not list ${missingModels.join(', ')}.`
  return { ok: true, detail, providerStatus: status, missingModels }
}

/** Azure names deployments, which its model list does not hold. */
function namedModels({ kind, models }: ConnectionRecord): string[] {
  if (kind === 'azure-openai') return []
  const names = [models.chat, ...(models.realtime ?? []), models.transcription, models.speech]
  return [...new Set(names.filter((name) => name !== null))]
}

function readModels(text: string): string[] | null {
  try {
    return ModelList.parse(JSON.parse(text)).data.map((model) => model.id)
  } catch {
    return null
  }
}

function failed(providerStatus: number | null, detail: string): Finding {
  return { ok: false, detail, providerStatus, missingModels: [] }
}
