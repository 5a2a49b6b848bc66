import { apiAddress, type ConnectionKind, qwenHost } from '@parley/contract'
import type { ProviderTarget } from '../../ports/realtime-provider.js'

type Address = Pick<ProviderTarget, 'kind' | 'address' | 'apiKey' | 'model'>

const qwenPath = '/api-ws/v1'
const voiceLivePath = '/voice-live'
const voiceLiveVersion = '2026-07-15'

/** Returns the URL of a connection's realtime endpoint. */
export function realtimeUrl({ kind, address, model }: Address): string {
  const url = new URL(`${realtimeAddress(kind, address)}/realtime`)
  url.protocol = url.protocol === 'http:' || url.protocol === 'ws:' ? 'ws:' : 'wss:'
  if (kind === 'azure-voice-live') url.searchParams.set('api-version', voiceLiveVersion)
  url.searchParams.set('model', model)
  return url.href
}

function realtimeAddress(kind: ConnectionKind, address: string): string {
  if (kind === 'qwen') return `${qwenHost(address)}${qwenPath}`
  return `${apiAddress(kind, address)}${kind === 'azure-voice-live' ? voiceLivePath : ''}`
}

/** Returns the headers that authenticate a connection. */
export function keyHeaders({ kind, apiKey }: Address): Record<string, string> {
  if (apiKey === null) return {}
  return kind === 'azure-openai' || kind === 'azure-voice-live'
    ? { 'api-key': apiKey }
    : { authorization: `Bearer ${apiKey}` }
}
