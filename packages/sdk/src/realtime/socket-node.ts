import type { SocketClass } from './socket-web.js'

/** Node 20 has no WebSocket. */
export async function loadSocketClass(): Promise<SocketClass> {
  if (typeof globalThis.WebSocket === 'function') return globalThis.WebSocket
  const { WebSocket } = await import('ws')
  return WebSocket
}
