import type { ConnectionKind } from './connection.js'
import { vertexProject } from './connection-vertex.js'

interface ConnectionUrl {
  readonly kind: ConnectionKind
  readonly baseUrl: string | null
}

const defaultUrls: Readonly<Record<ConnectionKind, string | null>> = {
  openai: 'https://api.openai.com/v1',
  'azure-openai': null,
  'azure-voice-live': null,
  qwen: null,
  xai: 'https://api.x.ai/v1',
  google: 'https://generativelanguage.googleapis.com',
  'openai-compatible': null,
  anthropic: 'https://api.anthropic.com/v1',
  embedded: null,
}

const azurePath = '/openai/v1'

/** Returns the base URL of a connection, or the default of its kind. Returns null if there is neither. */
export function connectionAddress({ kind, baseUrl }: ConnectionUrl): string | null {
  return baseUrl?.replace(/\/+$/, '') ?? defaultUrls[kind]
}

/** Qwen's paths for text and voice. A connection has one URL for both. */
const qwenTextPath = '/compatible-mode/v1'
const qwenPaths = /\/(?:compatible-mode|api-ws)\/v1$/

/** Returns the URL of a Qwen workspace without a path of its APIs. */
export const qwenHost = (address: string) => address.replace(qwenPaths, '')

/** Google's APIs have a version in the path. */
const googleVersion = /\/v\d\w*$/

/** Returns the base URL of the provider's API. Appends the path to an Azure, Qwen or Google URL that lacks it. */
export function apiAddress(kind: ConnectionKind, address: string): string {
  if (kind === 'qwen') return `${qwenHost(address)}${qwenTextPath}`
  if (kind === 'google') return googleAddress(address)
  const isBareAzure = kind === 'azure-openai' && !address.endsWith(azurePath)
  return isBareAzure ? `${address}${azurePath}` : address
}

function googleAddress(address: string): string {
  const project = vertexProject(address)
  if (project !== null) return `${project.serverUrl}/${project.version}/${project.resource}`
  return googleVersion.test(address) ? address : `${address}/v1beta`
}
