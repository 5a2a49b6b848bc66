import { once } from 'node:events'
import { chmod, rm } from 'node:fs/promises'
import { type IncomingMessage, request, type Server } from 'node:http'
import { join } from 'node:path'
import { withSocketPath } from '@parley/embedded-database/data-directory-lock'

/**
 * In the directory of the lock, so that the next owner of the lock removes the socket of a crashed process.
 */
const socketIn = (dataDir: string) => ({ directory: join(dataDir, 'lock'), name: 'operator' })

const ownerOnly = 0o600

/** Opens the door in the data directory. Must be called by the process that holds its lock. */
export async function listenOnDoor(dataDir: string, server: Server): Promise<void> {
  const { directory, name } = socketIn(dataDir)
  await rm(join(directory, name), { force: true })
  await withSocketPath(directory, name, async (path) => {
    server.listen(path)
    await once(server, 'listening')
  })
  await chmod(join(directory, name), ownerOnly)
  server.unref()
}

/** Returns whether a running service holds the data directory. */
export async function isDoorOpen(dataDir: string): Promise<boolean> {
  const response = await callDoor(dataDir, { method: 'GET', path: '/', body: null })
  response?.resume()
  return response !== null
}

/** Sends one request through the door. Returns null if no service listens. */
export function callDoor(
  dataDir: string,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: unknown },
): Promise<IncomingMessage | null> {
  const { directory, name } = socketIn(dataDir)
  return withSocketPath(
    directory,
    name,
    (socketPath) =>
      new Promise<IncomingMessage | null>((resolve, reject) => {
        const sending = request({ socketPath, method, path, headers: { 'content-type': 'application/json' } })
        sending.on('error', (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(null)
          else reject(error)
        })
        sending.on('response', resolve)
        sending.end(JSON.stringify(body))
      }),
  ).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
