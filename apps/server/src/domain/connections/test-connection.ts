import {
  apiAddress,
  type ConnectionKind,
  type ConnectionTest,
  connectionAddress,
  readServiceAccountKey,
  type VertexProject,
  vertexProject,
} from '@parley/contract'
import { z } from 'zod'
import type { AccessTokens } from '../../ports/access-tokens.js'
import type { ConnectionRecord } from '../../ports/agent-stores.js'
import type { OutboundResponse, ProviderOutbound } from '../../ports/outbound.js'
import type { Cipher } from '../../ports/secrets.js'
import type { CallerScope } from '../caller-scope.js'
import { notFound } from '../domain-error.js'
import { chatSourceOf, openApiKey } from './chat-target.js'
import { speaksLive } from './live-protocol.js'

const timeoutMilliseconds = 15_000
const maxResponseBytes = 4 * 1024 * 1024

const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) })
const GoogleModelList = z.object({ models: z.array(z.object({ name: z.string() })) })
const VertexModelList = z.object({ publisherModels: z.array(z.object({ name: z.string() })) })
/** Google's list has pages. This is the largest one. */
const googlePage = '?pageSize=1000'

type Finding = Omit<ConnectionTest, 'durationMilliseconds'>

export interface TestDependencies {
  readonly cipher: Cipher
  readonly providerOutbound: ProviderOutbound
  readonly accessTokens: AccessTokens
}

/** Fetches the provider's model list with the stored key, and describes the result. */
export async function testConnection(
  dependencies: TestDependencies,
  scope: CallerScope,
  id: string,
): Promise<ConnectionTest> {
  const { stores, caller } = scope
  const connection = await stores.connections.find(caller.organizationId, id)
  if (connection === null) throw notFound('Connection')
  const start = performance.now()
  const finding = await tryChain(dependencies, scope, connection)
  return { ...finding, durationMilliseconds: Math.round(performance.now() - start) }
}

/** Tests an engine connection and the connection that it provides the voice for. */
async function tryChain(
  dependencies: TestDependencies,
  { stores }: CallerScope,
  connection: ConnectionRecord,
): Promise<Finding> {
  if (connection.chatConnectionId === null) return tryProvider(dependencies, connection)
  // Disabled connections can be tested too.
  const found = await chatSourceOf(stores, { ...connection, governanceDisabled: false }, null)
  if (!found.ok) return failed(null, found.problem)
  const { connection: other } = found.source
  const finding = await tryProvider(dependencies, other)
  return { ...finding, detail: `The engine uses ${other.name} for text. ${finding.detail}` }
}

async function tryProvider(
  { cipher, providerOutbound, accessTokens }: TestDependencies,
  connection: ConnectionRecord,
): Promise<Finding> {
  const address = connectionAddress(connection)
  if (connection.kind === 'embedded' || address === null)
    return {
      ok: true,
      detail: 'The built-in engine is part of the service and needs no key.',
      providerStatus: null,
      missingModels: [],
    }
  const apiKey = openApiKey(connection, cipher)
  if (apiKey === null && connection.kind !== 'openai-compatible')
    return failed(null, 'No key is stored for this connection. Set apiKey and try again.')
  const { isFromEnvironment } = connection
  const outbound = providerOutbound.forConnection({ address, isFromEnvironment })
  const call = await listCallOf(connection.kind, { address, apiKey }, accessTokens)
  if (!call.ok) return call.finding
  try {
    const { url, headers } = call
    return await judge(
      await outbound.fetch(url, { headers, timeoutMilliseconds, maxResponseBytes }),
      connection,
    )
  } catch (error) {
    if (outbound.isFailure(error)) return failed(null, error.detail)
    throw error
  }
}

type ListCall =
  | { readonly ok: true; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly finding: Finding }

/** Returns the request for the provider's list of models. */
async function listCallOf(
  connectionKind: ConnectionKind,
  { address, apiKey }: { readonly address: string; readonly apiKey: string | null },
  accessTokens: AccessTokens,
): Promise<ListCall> {
  const project = connectionKind === 'google' ? vertexProject(address) : null
  if (project !== null) return vertexListCall(project, apiKey ?? '', accessTokens)
  const headers = apiKey === null ? {} : keyHeaders[connectionKind](apiKey)
  // The resource of Voice Live serves the models of Azure OpenAI too.
  const kind = connectionKind === 'azure-voice-live' ? 'azure-openai' : connectionKind
  return {
    ok: true,
    url: `${apiAddress(kind, address)}/models${kind === 'google' ? googlePage : ''}`,
    headers,
  }
}

/** Google lists the models of Vertex AI for all projects, and only in this version of the API. */
async function vertexListCall(
  { serverUrl }: VertexProject,
  apiKey: string,
  accessTokens: AccessTokens,
): Promise<ListCall> {
  const key = readServiceAccountKey(apiKey)
  if (key === null)
    return {
      ok: false,
      finding: failed(null, 'apiKey is not the JSON key of a service account. Set it again.'),
    }
  const access = await accessTokens.tokenFor(key)
  if (!access.ok) return { ok: false, finding: failed(access.status, access.detail) }
  const headers = { authorization: `Bearer ${access.token}` }
  return { ok: true, url: `${serverUrl}/v1beta1/publishers/google/models`, headers }
}

const keyHeaders: Readonly<Record<ConnectionKind, (key: string) => Record<string, string>>> = {
  openai: (key) => ({ authorization: `Bearer ${key}` }),
  'openai-compatible': (key) => ({ authorization: `Bearer ${key}` }),
  'azure-openai': (key) => ({ 'api-key': key }),
  'azure-voice-live': (key) => ({ 'api-key': key }),
  qwen: (key) => ({ authorization: `Bearer ${key}` }),
  google: (key) => ({ 'x-goog-api-key': key }),
  xai: (key) => ({ authorization: `Bearer ${key}` }),
  anthropic: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  embedded: () => ({}),
}

async function judge(response: OutboundResponse, connection: ConnectionRecord): Promise<Finding> {
  const { status } = response
  const text = await response.text()
  if (isVertex(connection) && (status === 401 || status === 403))
    return failed(
      status,
      `The provider answered ${status}: the service account may not use Vertex AI in this project. Grant it the role Vertex AI User, and enable the Vertex AI API of the project.`,
    )
  if (status === 401 || status === 403 || isGoogleKeyError(status, text))
    return failed(status, `The provider answered ${status}: it rejected the stored key.`)
  if (status === 404)
    return failed(
      404,
      `The provider answered 404: this address has no model list. Check baseUrl. ${addressHint(connection)}`,
    )
  if (status === 429)
    return failed(429, 'The provider answered 429: the key works, but its rate limit or quota is exceeded.')
  if (status < 200 || status > 299)
    return failed(status, `The provider answered ${status}. Try again, or check baseUrl.`)
  const models = readModels(connection, text)
  if (models === null)
    return failed(status, 'The server at this address did not respond with a list of models. Check baseUrl.')
  const missingModels = namedModels(connection).filter((name) => !models.includes(name))
  const detail =
    missingModels.length === 0
      ? `The provider accepts the key and lists ${models.length === 1 ? '1 model' : `${models.length} models`}.`
      : `The provider accepts the key, but does not list ${missingModels.join(', ')}.`
  return { ok: true, detail: `${detail}${liveHint(connection)}`, providerStatus: status, missingModels }
}

function isVertex({ kind, baseUrl }: ConnectionRecord): boolean {
  const address = connectionAddress({ kind, baseUrl })
  return kind === 'google' && address !== null && vertexProject(address) !== null
}

function addressHint(connection: ConnectionRecord): string {
  if (isVertex(connection)) return 'It ends in /projects/{project}/locations/{location}.'
  const { kind } = connection
  return kind === 'qwen' ? 'It is the host of your workspace.' : 'It often ends in /v1.'
}

/** A voice of GPT-Live has no tools and asks a text model of the same connection. */
function liveHint(connection: ConnectionRecord): string {
  const { realtime, chat } = connection.models
  const voice = (realtime ?? []).find((model) => speaksLive(connection, model))
  return voice === undefined || chat !== null
    ? ''
    : ` The realtime model ${voice} also needs a text model: set models.chat, or the model of each agent.`
}

/**
 * Returns the models that must be in the provider's list. Azure is excluded, because its list does not
 * contain deployment names. Vertex AI is excluded, because its list is not that of the project's location.
 */
function namedModels(connection: ConnectionRecord): string[] {
  const { kind, models } = connection
  if (kind === 'azure-openai' || kind === 'azure-voice-live' || isVertex(connection)) return []
  const names = [models.chat, ...(models.realtime ?? []), models.transcription, models.speech]
  return [...new Set(names.filter((name) => name !== null))]
}

/** Google answers 400 to a wrong key. */
function isGoogleKeyError(status: number, text: string): boolean {
  return status === 400 && text.includes('API_KEY_INVALID')
}

function readModels(connection: ConnectionRecord, text: string): string[] | null {
  try {
    if (isVertex(connection))
      return VertexModelList.parse(JSON.parse(text)).publisherModels.map(({ name }) => name)
    if (connection.kind === 'google')
      return GoogleModelList.parse(JSON.parse(text)).models.map(({ name }) => name.replace(/^models\//, ''))
    return ModelList.parse(JSON.parse(text)).data.map((model) => model.id)
  } catch {
    return null
  }
}

function failed(providerStatus: number | null, detail: string): Finding {
  return { ok: false, detail, providerStatus, missingModels: [] }
}
