import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningService, startService } from '../../support/start-service.js'

/** Sends bytes over a plain socket and reads until the service closes. */
function exchange(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request))
    let answer = ''
    socket.on('data', (data) => {
      answer += data.toString()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

describe('[API-20] a request that offers to switch to another protocol is served as it is', () => {
  let running: RunningService
  beforeAll(async () => {
    running = await startService()
  })
  afterAll(() => running.close())

  const headers = () =>
    `Host: parley\r\nX-Api-Key: ${running.apiKey}\r\nX-Org-Id: ${running.organizationId}\r\n` +
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n'

  const last = () => `GET /healthz HTTP/1.1\r\nHost: parley\r\nConnection: close\r\n\r\n`

  test('a read', async () => {
    const answer = await exchange(running.url, `GET /api/v1/Agent HTTP/1.1\r\n${headers()}\r\n${last()}`)
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(answer).toContain('"totalCount":2')
    expect(answer).toContain('{"status":"ok"}')
  })

  test('a creation with its body', async () => {
    const body = JSON.stringify({ title: 'Water the plants' })
    const head = `POST /api/v1/Task HTTP/1.1\r\n${headers()}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    const answer = await exchange(running.url, `${head}${body}${last()}`)
    expect(answer).toMatch(/^HTTP\/1\.1 201 Created/)
    expect(answer).toContain('Water the plants')
  })

  test('however often it is made on one connection, which is left as it was', async () => {
    const { hostname, port } = new URL(running.url)
    const accepted = once(running.service.app.server, 'connection')
    const client = connect(Number(port), hostname)
    const [socket] = (await accepted) as [Socket]
    const listeners = () => socket.eventNames().map((name) => [name, socket.listenerCount(name)])
    const offer = async () => {
      client.write(`GET /healthz HTTP/1.1\r\n${headers()}\r\n`)
      expect(String(await once(client, 'data'))).toMatch(/^HTTP\/1\.1 200 OK/)
    }
    await offer()
    const first = listeners()
    for (let count = 1; count < 100; count += 1) await offer()
    expect(listeners()).toEqual(first)
    client.destroy()
  })
})
