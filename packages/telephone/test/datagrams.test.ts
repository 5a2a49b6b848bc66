import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { receiveDatagrams, sendDatagram } from '#telephone/datagrams.js'
import { closeAfterwards } from '../../../apps/server/test/support/close-afterwards.js'

async function openSocket() {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closeAfterwards(() => socket.close())
  return socket
}

describe('datagrams', () => {
  test('are dropped if they come from port 0', async () => {
    const socket = await openSocket()
    const received: number[] = []
    receiveDatagrams(socket, (_bytes, { port }) => received.push(port))
    // Only a raw socket can send from port 0, so the test emits the event.
    for (const port of [0, 5060])
      socket.emit('message', Buffer.from('x'), { address: '127.0.0.1', family: 'IPv4', port, size: 1 })
    expect(received).toEqual([5060])
  })

  test('are not sent to port 0', async () => {
    const socket = await openSocket()
    expect(() => sendDatagram(socket, Buffer.from('x'), { address: '127.0.0.1', port: 0 })).not.toThrow()
  })

  test('are received after one that could not be handled', async () => {
    const socket = await openSocket()
    const received: string[] = []
    receiveDatagrams(socket, (bytes) => {
      if (bytes.toString() === 'bad') throw new Error('A defect.')
      received.push(bytes.toString())
    })
    const warned = once(process, 'warning')
    for (const text of ['bad', 'good']) sendDatagram(socket, Buffer.from(text), socket.address())
    await expect.poll(() => received).toEqual(['good'])
    const [warning] = await warned
    expect(warning.name).toBe('TelephoneWarning')
    expect(warning.message).not.toContain('A defect.')
  })
})
