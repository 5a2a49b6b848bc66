import { open } from 'node:fs/promises'
import { join } from 'node:path'

/** macOS allows 103 bytes, Linux 107. Node does not refuse a longer path: it cuts it. */
const maxSocketPathBytes = 103

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
