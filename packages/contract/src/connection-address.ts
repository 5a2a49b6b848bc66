import type { ConnectionKind } from './connection.js'

interface Addressed {
  readonly kind: ConnectionKind
  readonly baseUrl: string | null
}

const ownAddresses: Readonly<Record<ConnectionKind, string | null>> = {
  openai: 'https://api.openai.com/v1',
  'azure-openai': null,
  'openai-compatible': null,
  anthropic: 'https://api.anthropic.com/v1',
  embedded: null,
}

const azurePath = '/openai/v1'

/** Returns the address of a connection: its own or the default of its kind. Returns null if there is none. */
export function connectionAddress({ kind, baseUrl }: Addressed): string | null {
  return baseUrl?.replace(/\/+$/, '') ?? ownAddresses[kind]
}

/** Returns the base address of the provider's API. An Azure address may omit the path. */
export function apiAddress(kind: ConnectionKind, address: string): string {
  const isBareAzure = kind === 'azure-openai' && !address.endsWith(azurePath)
  return isBareAzure ? `${address}${azurePath}` : address
}
