import type { ConnectionKind } from '@parley/contract'

const ownAddress: Readonly<Record<ConnectionKind, string | null>> = {
  openai: 'https://api.openai.com/v1',
  'azure-openai': null,
  'openai-compatible': null,
  anthropic: 'https://api.anthropic.com/v1',
  embedded: null,
}

/** Where a connection leads: its own address, or the one of its kind. */
export function addressOf(connection: {
  readonly kind: ConnectionKind
  readonly baseUrl: string | null
}): string | null {
  return connection.baseUrl?.replace(/\/+$/, '') ?? ownAddress[connection.kind]
}
