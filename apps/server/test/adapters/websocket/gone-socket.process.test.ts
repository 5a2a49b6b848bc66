import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { LimitedWebSocket, makeFrameSocket } from '#server/adapters/websocket/frame-socket.js'
import { closeAfterwards } from '../../support/close-afterwards.js'

const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('[RT-12] a socket that is gone when it is to be closed leaves no timer behind', async () => {
  const refusing = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
  closeAfterwards(() => refusing.close())
  await once(refusing, 'listening')
  const { port } = refusing.address() as AddressInfo
  const socket = new LimitedWebSocket(`ws://127.0.0.1:${port}`)
  socket.once('error', () => undefined)
  await new Promise((resolve) => void socket.once('close', resolve))
  const timersBefore = countTimers()
  makeFrameSocket(socket).close(1000, '')
  expect(countTimers()).toBe(timersBefore)
})
