import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { clientFrame, providerFrame } from '@parley/stage/load/frames'
import WebSocket from 'ws'

const patienceSeconds = 60

/** Open once the provider's greeting has come. */
export async function openOne(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url)
  await heard(socket, 'message')
  return socket
}

export async function closed(socket: WebSocket): Promise<void> {
  socket.close(1000)
  await heard(socket, 'close')
}

/** A bench that waits for ever tells nobody what for. */
async function heard(socket: WebSocket, event: 'message' | 'close'): Promise<void> {
  await once(socket, event, { signal: AbortSignal.timeout(patienceSeconds * 1000) }).catch((cause) => {
    throw new Error(`no ${event} of a session came within ${patienceSeconds} s`, { cause })
  })
}

export interface Talk {
  readonly seconds: number
  /** Of each side of each session. */
  readonly framesPerSecond: number
}

/** Both ends of these sessions talk. */
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
