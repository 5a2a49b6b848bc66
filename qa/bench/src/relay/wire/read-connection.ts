import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** What Node reads a TCP socket with, below its stream. Undocumented: where it is not as we know it, the stream reads. */
interface TcpHandle {
  onread: () => void
  readonly bytesRead: number
  useUserBuffer(memory: Uint8Array): void
}

const readMemory = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * Hands over what comes, for the time of the call. All sockets are read into the same memory where that can be had: a stream
 * allocates for every read, which costs the load more than all it does with a message.
 */
export function readConnection(connection: Duplex, read: (bytes: Buffer) => void): void {
  connection.on('data', read)
  const handle = tcpHandle(connection)
  if (handle === null) return
  const { onread } = handle
  let before = handle.bytesRead
  handle.useUserBuffer(readMemory)
  handle.onread = () => {
    const count = handle.bytesRead - before
    before = handle.bytesRead
    // The end, or an error.
    if (count === 0) onread.call(handle)
    else read(readMemory.subarray(0, count))
  }
}

function tcpHandle(connection: Duplex): TcpHandle | null {
  if (!(connection instanceof Socket)) return null
  const handle = (connection as unknown as { readonly _handle: Partial<TcpHandle> | null })._handle
  const isKnown =
    handle?.constructor.name === 'TCP' &&
    typeof handle.onread === 'function' &&
    typeof handle.useUserBuffer === 'function' &&
    typeof handle.bytesRead === 'number'
  return isKnown ? (handle as TcpHandle) : null
}
