import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import type { LockOwner } from './data-directory-in-use.js'
import { withSocketPath } from './socket-path.js'

const answerTimeoutMilliseconds = 1_000

/** Listens on a new socket and sends everybody who connects the id of this process and its host. */
export async function listenOnLockSocket(directory: string, name: string): Promise<Server> {
  const answer = `${process.pid} ${hostname()}`
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.end(answer, () => socket.destroy())
  })
  await withSocketPath(directory, name, async (path) => {
    server.listen(path)
    await once(server, 'listening')
  })
  return server.unref()
}

export type LockSocketState =
  | { readonly state: 'alive'; readonly owner: LockOwner | null }
  | { readonly state: 'dead' | 'absent' }

/**
 * Whether a process listens on this socket. The kernel answers, not the process: a busy or a stopped one is alive, and
 * one that died, however it did, is dead as soon as the last of its threads is gone. It is the same across containers.
 */
export function probeLockSocket(directory: string, name: string): Promise<LockSocketState> {
  return withSocketPath(
    directory,
    name,
    (path) =>
      new Promise((resolve) => {
        let answer = ''
        const socket = connect(path)
        socket.setTimeout(answerTimeoutMilliseconds, () => socket.destroy())
        socket.setEncoding('utf8').on('data', (text) => {
          answer += text
        })
        socket.on('error', (error: NodeJS.ErrnoException) => {
          if (error.code === 'ECONNREFUSED') resolve({ state: 'dead' })
          if (error.code === 'ENOENT') resolve({ state: 'absent' })
        })
        socket.on('close', () => resolve({ state: 'alive', owner: parseOwner(answer) }))
      }),
  )
}

function parseOwner(answer: string): LockOwner | null {
  const [, pid, host] = /^(\d+) (.+)$/.exec(answer) ?? []
  return pid && host ? { pid: Number(pid), host } : null
}
