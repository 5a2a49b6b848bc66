import { setTimeout as wait } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import type { EngineParts } from './session/engine-parts.js'
import { Session } from './session/session.js'

const pingMilliseconds = 30_000
/** An answer waits while more than this is buffered, because audio is produced much faster than it is played. */
const maxBufferedBytes = 4 * 1024 * 1024

/** Connects a socket to a session until one of them ends. */
export function serveClient(
  socket: WebSocket,
  parts: EngineParts,
  model: string,
  maxSessionSeconds: number,
): void {
  const expiresAt = Math.ceil(Date.now() / 1000 + maxSessionSeconds)
  const session = new Session(
    parts,
    {
      send: (event) => {
        if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(event))
      },
      waitForRoom: () => waitForRoom(socket),
    },
    model,
    expiresAt,
  )
  socket.on('ping', (data) => {
    if (socket.readyState === socket.OPEN && socket.bufferedAmount <= maxBufferedBytes) socket.pong(data)
  })
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  const heartbeat = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, pingMilliseconds)
  const expiry = setTimeout(() => {
    session.expire(Math.round(maxSessionSeconds / 60))
    socket.close(1001, 'The session hit its maximum duration.')
  }, maxSessionSeconds * 1000)
  socket.on('message', (data) => session.receive(data.toString()))
  // An oversized frame or a broken connection. The close event follows and ends the session.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    clearInterval(heartbeat)
    clearTimeout(expiry)
    session.close()
  })
  session.start()
}

async function waitForRoom(socket: WebSocket): Promise<void> {
  while (socket.readyState === socket.OPEN && socket.bufferedAmount > maxBufferedBytes) await wait(50)
}
