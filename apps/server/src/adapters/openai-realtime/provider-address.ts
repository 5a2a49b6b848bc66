import { apiAddress } from '@parley/contract'
import type { ProviderTarget } from '../../ports/realtime-provider.js'

type Address = Pick<ProviderTarget, 'kind' | 'address' | 'apiKey' | 'model'>

const voiceLivePath = '/voice-live'
const voiceLiveVersion = '2026-07-15'

/** Returns the URL of a connection's realtime endpoint. */
export function realtimeUrl({ kind, address, model }: Address): string {
  const url = new URL(
    `${apiAddress(kind, address)}${kind === 'azure-voice-live' ? voiceLivePath : ''}/realtime`,
  )
  url.protocol = url.protocol === 'http:' || url.protocol === 'ws:' ? 'ws:' : 'wss:'
  if (kind === 'azure-voice-live') url.searchParams.set('api-version', voiceLiveVersion)
  url.searchParams.set('model', model)
  return url.href
}

/** Returns the headers that authenticate a connection. */
export function keyHeaders({ kind, apiKey }: Address): Record<string, string> {
  if (apiKey === null) return {}
  return kind === 'azure-openai' || kind === 'azure-voice-live'
    ? { 'api-key': apiKey }
    : { authorization: `Bearer ${apiKey}` }
}
