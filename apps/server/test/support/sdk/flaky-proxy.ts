import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeAfterwards } from '../close-afterwards.js'

/** What the proxy does with one request. */
export type Fault =
  /** The request does not reach the service. */
  | 'drop-request'
  /** The service handles the request, but its response is lost. */
  | 'drop-answer'
  /** No response ever arrives. */
  | 'silence'
  /** The proxy answers instead of the service. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /**
   * The stream passes this many events and this many bytes of the next one. Then the connection breaks, the
   * response ends, or no more data follows.
   */
  | { readonly events: number; readonly bytes?: number; readonly ending: 'cut' | 'end' | 'silence' }
  /** The request passes unchanged. */
  | 'pass'

export interface ProxiedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/**
 * A proxy to the service with a script of faults, one per request. It forwards requests normally after the
 * script ends.
 */
export interface FlakyProxy {
  readonly url: string
  /** Every request so far. */
  readonly requests: readonly ProxiedRequest[]
  /** Sets the faults of the next requests. Clears earlier faults and the recorded requests. */
  failNext(...faults: readonly Fault[]): void
  close(): Promise<void>
}

export async function startFlakyProxy(serviceUrl: () => string): Promise<FlakyProxy> {
  const requests: ProxiedRequest[] = []
  let faults: Fault[] = []
  const server = createServer((incoming, response) => {
    const { method = '', url: path = '', headers } = incoming
    requests.push({ method, path, headers })
    const fault = faults.shift() ?? 'pass'
    if (fault === 'drop-request') return void incoming.socket.destroy()
    if (fault === 'silence') return void incoming.resume()
    if (typeof fault === 'object' && 'status' in fault) {
      incoming.resume()
      return void response.writeHead(fault.status, fault.headers).end(fault.body)
    }
    forward(serviceUrl(), incoming, response, fault)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    failNext(...next) {
      requests.length = 0
      faults = [...next]
    },
    close: closeAfterwards(async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    }),
  }
}

type PassingFault = Exclude<Fault, 'drop-request' | 'silence' | { readonly status: number }>

function forward(
  serviceUrl: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  fault: PassingFault,
): void {
  const { method, headers } = incoming
  const outgoing = request(new URL(incoming.url ?? '', serviceUrl), { method, headers }, async (answer) => {
    if (fault === 'drop-answer') {
      for await (const _ of answer);
      return void response.destroy()
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    response.flushHeaders()
    if (typeof fault === 'string') return void answer.pipe(response)
    const { events, bytes = 0, ending } = fault
    response.write(await readUntil(answer, events, bytes), () => {
      if (ending === 'cut') response.destroy()
      if (ending === 'end') response.end()
      answer.destroy()
    })
  })
  outgoing.on('error', () => response.destroy())
  incoming.pipe(outgoing)
  response.on('close', () => outgoing.destroy())
}

/** Returns the text of the first events and the first bytes of the next one. */
async function readUntil(answer: IncomingMessage, events: number, bytes: number): Promise<string> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += chunk
    let end = 0
    for (let count = 0; count < events && end >= 0; count += 1) end = nextEnd(text, end)
    if (end >= 0 && text.length >= end + bytes) return text.slice(0, end + bytes)
  }
  return text
}

/** Returns the end of the next event, or -1 if it is incomplete. Comments are skipped. */
function nextEnd(text: string, from: number): number {
  for (let start = from; ; ) {
    const end = text.indexOf('\n\n', start)
    if (end < 0) return -1
    if (text.slice(start, end).includes('data:')) return end + 2
    start = end + 2
  }
}
