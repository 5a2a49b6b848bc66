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

/** Where a connection leads: its own address, or the one of its kind; null where it leads nowhere. */
export function connectionAddress({ kind, baseUrl }: Addressed): string | null {
  return baseUrl?.replace(/\/+$/, '') ?? ownAddresses[kind]
}

/** Where the provider's API begins at this address: an Azure resource may be named with or without the path to it. */
export function apiAddress(kind: ConnectionKind, address: string): string {
  const isBareAzure = kind === 'azure-openai' && !address.endsWith(azurePath)
  return isBareAzure ? `${address}${azurePath}` : address
}
