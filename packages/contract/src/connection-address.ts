import type { ConnectionKind } from './connection.js'

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
  'openai-compatible': null,
  anthropic: 'https://api.anthropic.com/v1',
  embedded: null,
}

const azurePath = '/openai/v1'

/** Returns the base URL of a connection, or the default of its kind. Returns null if there is neither. */
export function connectionAddress({ kind, baseUrl }: ConnectionUrl): string | null {
  return baseUrl?.replace(/\/+$/, '') ?? defaultUrls[kind]
}

/** Returns the base URL of the provider's API. Appends the path to an Azure URL that lacks it. */
export function apiAddress(kind: ConnectionKind, address: string): string {
  const isBareAzure = kind === 'azure-openai' && !address.endsWith(azurePath)
  return isBareAzure ? `${address}${azurePath}` : address
}
