import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeAfterwards } from '../close-afterwards.js'

/** A request that the service has sent to a carrier's API. */
export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface ScriptedApi {
  readonly baseUrl: string
  readonly requests: readonly ApiRequest[]
  /** Returns the next request that fits and was not taken yet. Others wait. */
  take(fits: (request: ApiRequest) => boolean): Promise<ApiRequest>
  /** The status of the answers from now on. The default is 200. */
  answerWith(status: number): void
  close(): Promise<void>
}

/** A carrier's API. `respond` returns the body of a successful answer. */
export async function startScriptedApi(respond: (request: ApiRequest) => unknown): Promise<ScriptedApi> {
  const requests: ApiRequest[] = []
  const taken = new Set<ApiRequest>()
  let arrived: (() => void)[] = []
  let status = 200
  const server = createServer(async (incoming, response) => {
    let body = ''
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk
    const { method = '', url: path = '', headers } = incoming
    const request = { method, path, headers, body }
    requests.push(request)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(status < 300 ? respond(request) : { message: 'Refused.' }))
    for (const notify of arrived.splice(0)) notify()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async take(fits) {
      for (;;) {
        const found = requests.find((request) => !taken.has(request) && fits(request))
        if (found) {
          taken.add(found)
          return found
        }
        await new Promise<void>((resolve) => {
          arrived = [...arrived, resolve]
        })
      }
    },
    answerWith(next) {
      status = next
    },
    close: closeAfterwards(async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    }),
  }
}
