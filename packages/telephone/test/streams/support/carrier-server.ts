import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface ScriptedResponse {
  readonly status?: number
  readonly body?: unknown
  readonly location?: string
  /** Leaves the request unanswered. */
  readonly isSilent?: boolean
}

/** An HTTP server in place of a carrier's API. It gives its responses in order, then `{}`. */
export async function startCarrierServer() {
  const requests: ReceivedRequest[] = []
  const responses: ScriptedResponse[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    requests.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(parts).toString('utf8'),
    })
    const { status = 200, body = {}, location, isSilent = false } = responses.shift() ?? {}
    if (isSilent) return
    response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    respond: (...next: ScriptedResponse[]) => responses.push(...next),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type CarrierServer = Awaited<ReturnType<typeof startCarrierServer>>
