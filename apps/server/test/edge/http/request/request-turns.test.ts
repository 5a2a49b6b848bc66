import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { takeTurns } from '#server/edge/http/request/request-turns.js'
import { closeAfterwards } from '../../../support/close-afterwards.js'

describe('[BND-16] requests that come all at once', () => {
  let server: Server
  /** The keys of the requests that have begun, in order, and how many of them began in each pass of the event loop. */
  let begun: string[]
  let inPasses: number[]
  let isPassCounted: boolean

  beforeEach(async () => {
    begun = []
    inPasses = []
    isPassCounted = false
    server = createServer((request, response) => {
      begun.push(String(request.headers['x-api-key']))
      if (!isPassCounted) {
        isPassCounted = true
        inPasses.push(0)
        setImmediate(() => {
          isPassCounted = false
        })
      }
      inPasses.push((inPasses.pop() ?? 0) + 1)
      response.end(`${request.url};`)
    })
    takeTurns(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  async function open(): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    closeAfterwards(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }

  const request = (key: string, path = '/') =>
    `GET ${path} HTTP/1.1\r\nHost: service\r\nX-Api-Key: ${key}\r\n\r\n`
  const repeated = (key: string, count: number) => request(key).repeat(count)

  const whenBegun = async (count: number) => {
    while (begun.length < count) await new Promise((resolve) => void setImmediate(resolve))
  }

  test('begin a few in each pass of the event loop, and all of them in the end', async () => {
    const socket = await open()
    socket.write(repeated('flood', 500))
    await whenBegun(500)
    // Those that came in the pass, and those that waited for it.
    expect(Math.max(...inPasses)).toBeLessThanOrEqual(2 * 16)
  })

  test('keep nobody waiting who presents another key', async () => {
    const [flood, other] = [await open(), await open()]
    flood.write(repeated('flood', 500))
    other.write(request('other'))
    await whenBegun(501)
    expect(begun.indexOf('other')).toBeLessThan(100)
  })

  test('are answered in their order on one connection', async () => {
    const socket = await open()
    let answers = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      answers += text
    })
    const paths = Array.from({ length: 100 }, (_, index) => `/${index}`)
    socket.write(paths.map((path) => request('flood', path)).join(''))
    while (!answers.includes('/99;')) await once(socket, 'data')
    expect([...answers.matchAll(/\/\d+(?=;)/g)].map(([path]) => path)).toEqual(paths)
  })
})
