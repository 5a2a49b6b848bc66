import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'

const answerTimeoutMilliseconds = 1_000

/** macOS allows 103 bytes, Linux 107. Node does not reject a longer path: it cuts it. */
const maxSocketPathBytes = 103

export interface LockOwner {
  readonly pid: number
  readonly host: string
}

/** Listens on a new socket and sends each client the id of this process and its host. */
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
 * Returns whether a process listens on this socket. The kernel answers, not the process: a busy or stopped process is alive.
 * A process that died is dead as soon as the last of its threads is gone. Containers see the same.
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

/** Calls `use` with a path of this socket that is short enough to listen on or to connect to. */
export async function withSocketPath<T>(
  directory: string,
  name: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(directory, name)
  if (Buffer.byteLength(path) <= maxSocketPathBytes) return use(path)
  if (process.platform !== 'linux')
    throw new Error(`The path of the data directory is too long for a socket in it: ${directory}`)
  const handle = await open(directory)
  try {
    return await use(`/proc/self/fd/${handle.fd}/${name}`)
  } finally {
    await handle.close()
  }
}

function parseOwner(answer: string): LockOwner | null {
  const [, pid, host] = /^(\d+) (.+)$/.exec(answer) ?? []
  return pid && host ? { pid: Number(pid), host } : null
}
