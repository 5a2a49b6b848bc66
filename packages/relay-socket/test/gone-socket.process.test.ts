import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { makeFrameSocket, RelayWebSocket } from '#relay-socket/index.js'

const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('closing a socket that is already gone leaves no timer [RT-12]', async () => {
  const rejecting = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
  onTestFinished(() => void rejecting.close())
  await once(rejecting, 'listening')
  const { port } = rejecting.address() as AddressInfo
  const socket = new RelayWebSocket(`ws://127.0.0.1:${port}`)
  socket.once('error', () => undefined)
  await new Promise((resolve) => void socket.once('close', resolve))
  const timersBefore = countTimers()
  makeFrameSocket(socket, { fast: null }).close(1000, '')
  expect(countTimers()).toBe(timersBefore)
})
