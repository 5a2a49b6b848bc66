import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { clientFrame, providerFrame } from '@parley/stage/load/frames'
import WebSocket from 'ws'

const patienceSeconds = 60

/** Opens a session. Resolves after the provider's greeting. */
export async function openOne(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url)
  await heard(socket, 'message')
  return socket
}

export async function closed(socket: WebSocket): Promise<void> {
  socket.close(1000)
  await heard(socket, 'close')
}

/** Waits for an event. Throws after a timeout, because a bench that hangs gives no reason. */
async function heard(socket: WebSocket, event: 'message' | 'close'): Promise<void> {
  await once(socket, event, { signal: AbortSignal.timeout(patienceSeconds * 1000) }).catch((cause) => {
    throw new Error(`no ${event} event of a session within ${patienceSeconds} s`, { cause })
  })
}

export interface Talk {
  readonly seconds: number
  /** Per side of each session. */
  readonly framesPerSecond: number
}

/** Sends frames from both ends of these sessions. */
export async function talk(
  clients: readonly WebSocket[],
  providers: Iterable<WebSocket>,
  { seconds, framesPerSecond }: Talk,
): Promise<void> {
  for (let pass = 0; pass < seconds * framesPerSecond; pass += 1) {
    const dueAt = performance.now() + 1000 / framesPerSecond
    for (const socket of clients) socket.send(clientFrame.make(), { binary: false })
    for (const socket of providers) socket.send(providerFrame.make(), { binary: false })
    await sleep(Math.max(0, dueAt - performance.now()))
  }
}
