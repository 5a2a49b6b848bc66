import { apiAddress } from '@parley/contract'
import type { ProviderTarget } from '../../ports/realtime-provider.js'

type Address = Pick<ProviderTarget, 'kind' | 'address' | 'apiKey' | 'model'>

/** Where the realtime endpoint of a connection is. */
export function realtimeUrl({ kind, address, model }: Address): string {
  const url = new URL(`${apiAddress(kind, address)}/realtime`)
  url.protocol = url.protocol === 'http:' || url.protocol === 'ws:' ? 'ws:' : 'wss:'
  url.searchParams.set('model', model)
  return url.href
}

/** How a connection shows its key. */
export function keyHeaders({ kind, apiKey }: Address): Record<string, string> {
  if (apiKey === null) return {}
  return kind === 'azure-openai' ? { 'api-key': apiKey } : { authorization: `Bearer ${apiKey}` }
}
