import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeAfterwards } from './close-afterwards.js'

export interface ReceivedRequest {
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface ScriptedAnswer {
  /** The default is 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent unchanged, any other value as JSON. */
  readonly body?: unknown
}

/** Writes the response by hand, for broken responses: half a body, a dropped connection, silence. */
export type ImproperAnswer = (response: ServerResponse) => void

/** A real HTTP server on a loopback port that serves only the requests that the test expects. */
export interface ScriptedHttpServer {
  /** The origin, without a trailing slash. */
  readonly url: string
  readonly port: number
  /** Every request since the last `verify`, expected or not, in order of arrival. */
  readonly requests: readonly ReceivedRequest[]
  /**
   * Expects one such request (`GET /v1/models`) and answers it. Resolves with the request when it arrives.
   */
  expect(call: string, answer?: ScriptedAnswer | ImproperAnswer): Promise<ReceivedRequest>
  /** Throws if an expected request did not arrive or an unexpected one did. Clears the script. */
  verify(): void
  close(): Promise<void>
}

interface Expectation {
  readonly call: string
  readonly answer: ScriptedAnswer | ImproperAnswer
  readonly arrived: (request: ReceivedRequest) => void
}

export async function startScriptedHttpServer(): Promise<ScriptedHttpServer> {
  const script: Expectation[] = []
  const requests: ReceivedRequest[] = []
  const unexpected: string[] = []

  const server = createServer(async (incoming, response) => {
    const request = await receive(incoming)
    requests.push(request)
    const call = `${request.method} ${request.path}`
    const place = script.findIndex((expectation) => expectation.call === call)
    const [expectation] = place < 0 ? [] : script.splice(place, 1)
    if (expectation === undefined) {
      unexpected.push(call)
      send(response, { status: 500, body: `The script does not expect ${call}.` })
      return
    }
    if (typeof expectation.answer === 'function') expectation.answer(response)
    else send(response, expectation.answer)
    expectation.arrived(request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    expect: (call, answer = {}) => new Promise((arrived) => script.push({ call, answer, arrived })),
    verify() {
      const mistakes = [
        ...script.map(({ call }) => `${call} was expected but did not arrive`),
        ...unexpected.map((call) => `${call} arrived unexpectedly`),
      ]
      for (const list of [script, requests, unexpected]) list.length = 0
      if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
    },
    close: closeAfterwards(async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    }),
  }
}

async function receive(incoming: IncomingMessage): Promise<ReceivedRequest> {
  let body = ''
  for await (const chunk of incoming.setEncoding('utf8')) body += chunk
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers, body }
}

function send(response: ServerResponse, { status = 200, headers = {}, body = '' }: ScriptedAnswer): void {
  const isText = typeof body === 'string'
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
  response.end(isText ? body : JSON.stringify(body))
}
