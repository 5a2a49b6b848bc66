import { once } from 'node:events'
import { createServer, type ServerOptions } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
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

const offer =
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n'

/** Whether this version of Node asks the server before it upgrades (`shouldUpgradeCallback`, since 24.9). */
async function canDeclineUpgrades(): Promise<boolean> {
  const options: ServerOptions & { readonly shouldUpgradeCallback: () => boolean } = {
    shouldUpgradeCallback: () => false,
  }
  const server = createServer(options, (_request, response) => response.end('served'))
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 101 Yes\r\n\r\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const answer = await exchange(`http://127.0.0.1:${port}`, `GET / HTTP/1.0\r\nHost: parley\r\n${offer}\r\n`)
  server.close()
  return answer.includes('served')
}

const isDeclined = await canDeclineUpgrades()

describe('a request that offers to switch to another protocol', () => {
  let running: RunningService
  beforeAll(async () => {
    running = await startService()
  })
  afterAll(() => running.close())

  const headers = () =>
    `Host: parley\r\nX-Api-Key: ${running.apiKey}\r\nX-Org-Id: ${running.organizationId}\r\n${offer}`

  const last = () => `GET /healthz HTTP/1.1\r\nHost: parley\r\nConnection: close\r\n\r\n`

  test('is served if it reads, and the connection closes if Node cannot decline the offer [API-20]', async () => {
    const answer = await exchange(running.url, `GET /api/v1/Agent HTTP/1.1\r\n${headers()}\r\n${last()}`)
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(answer).toContain('"totalCount":2')
    expect(answer.includes('{"status":"ok"}')).toBe(isDeclined)
    if (!isDeclined) expect(answer).toMatch(/\r\nConnection: close\r\n/i)
  })

  test('is served with its body, or refused with a reason if Node cannot decline the offer [API-20]', async () => {
    const body = JSON.stringify({ title: 'Water the plants' })
    const head = `POST /api/v1/Task HTTP/1.1\r\n${headers()}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    const answer = await exchange(running.url, `${head}${body}${isDeclined ? last() : ''}`)
    if (isDeclined) {
      expect(answer).toMatch(/^HTTP\/1\.1 201 Created/)
      expect(answer).toContain('Water the plants')
    } else {
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request/)
      expect(answer).toMatch(/\r\nConnection: close\r\n/)
      expect(answer).toContain('Send the request without the `Upgrade` header.')
    }
  })

  test('leaves nothing on a connection that Node keeps open [API-20]', async () => {
    const { hostname, port } = new URL(running.url)
    const accepted = once(running.service.app.server, 'connection')
    const client = connect(Number(port), hostname)
    const [socket] = (await accepted) as [Socket]
    const listeners = () => socket.eventNames().map((name) => [name, socket.listenerCount(name)])
    const ask = async () => {
      client.write(`GET /healthz HTTP/1.1\r\n${headers()}\r\n`)
      expect(String(await once(client, 'data'))).toMatch(/^HTTP\/1\.1 200 OK/)
    }
    await ask()
    const first = listeners()
    for (let count = 1; isDeclined && count < 100; count += 1) await ask()
    if (isDeclined) expect(listeners()).toEqual(first)
    client.destroy()
  })
})
