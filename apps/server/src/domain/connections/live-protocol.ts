import type { ConnectionRecord } from '../../ports/agent-stores.js'

/** Returns whether a realtime model speaks the protocol of GPT-Live, by the connection's setting or the model's name. */
export function speaksLive(
  { kind, realtimeProtocol }: Pick<ConnectionRecord, 'kind' | 'realtimeProtocol'>,
  model: string,
): boolean {
  if (kind !== 'openai') return false
  return realtimeProtocol === null ? model.startsWith('gpt-live') : realtimeProtocol === 'live'
}
