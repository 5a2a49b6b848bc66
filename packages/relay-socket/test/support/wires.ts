import { Socket } from 'node:net'
import { connectTcp } from './tcp-pair.js'

/** A connection whose reads the test controls and whose writes it records. */
export interface Wire {
  readonly connection: Socket
  /** Makes the connection read only this piece. */
  deliver(piece: Buffer): Promise<void>
  /** All bytes written to the connection. */
  readonly written: Buffer
  /** Ends the other side of the connection. */
  end(): void
  /** Resolves when all written bytes have arrived. */
  readonly closed: Promise<unknown>
}

export const wires = { memory: openMemoryWire, tcp: openTcpWire } as const
export type WireName = keyof typeof wires

const nextPass = () => new Promise((resolve) => void setImmediate(resolve))

const closeOf = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

/** A connection in memory, without a network. */
class MemoryConnection extends Socket {
  readonly written: Buffer[] = []

  override _read(): void {}

  override _write(chunk: Buffer | string, encoding: BufferEncoding, callback: () => void): void {
    this.written.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)
    callback()
  }

  override _writev(
    chunks: { readonly chunk: Buffer | string; readonly encoding: BufferEncoding }[],
    callback: () => void,
  ): void {
    for (const { chunk, encoding } of chunks) this._write(chunk, encoding, () => undefined)
    callback()
  }

  override _final(callback: () => void): void {
    this.push(null)
    callback()
  }
}

async function openMemoryWire(): Promise<Wire> {
  const connection = new MemoryConnection()
  return {
    connection,
    async deliver(piece) {
      // Copies the bytes, because ws unmasks them in place.
      connection.push(Buffer.from(piece))
    },
    get written() {
      return Buffer.concat(connection.written)
    },
    end: () => void connection.push(null),
    closed: closeOf(connection),
  }
}

async function openTcpWire(): Promise<Wire> {
  const { accepted: connection, peer } = await connectTcp()
  const written: Buffer[] = []
  peer.on('data', (chunk: Buffer) => written.push(chunk))
  let delivered = 0
  return {
    connection,
    async deliver(piece) {
      // The other side has closed the connection.
      if (!peer.writable) return
      peer.write(piece)
      delivered += piece.length
      // A connection that is no longer read keeps the remaining bytes in its buffers.
      while (connection.bytesRead < delivered && !connection.isPaused() && !connection.destroyed)
        await nextPass()
    },
    get written() {
      return Buffer.concat(written)
    },
    end: () => void peer.end(),
    closed: closeOf(peer),
  }
}
