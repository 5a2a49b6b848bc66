import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

export interface PortRange {
  readonly first: number
  readonly last: number
}

const attempts = 200

/** Opens a socket on an even port of the range, from a random start. Returns null if all tried ports are taken. */
export async function openRtpSocket(address: string, { first, last }: PortRange): Promise<Socket | null> {
  const even = first + (first % 2)
  const count = Math.floor((last - even) / 2) + 1
  const start = randomInt(Math.max(1, count))
  for (let index = 0; index < Math.min(count, attempts); index += 1) {
    const socket = await tryPort(address, even + ((start + index) % count) * 2)
    if (socket) return socket
  }
  return null
}

async function tryPort(address: string, port: number): Promise<Socket | null> {
  const socket = createSocket('udp4')
  try {
    socket.bind({ address, port, exclusive: true })
    await once(socket, 'listening')
    return socket
  } catch {
    socket.close()
    return null
  }
}
