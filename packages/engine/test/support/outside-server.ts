import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Heard {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: Buffer
}

export interface OutsideServer {
  readonly baseUrl: string
  readonly heard: Heard[]
  close(): Promise<void>
}

/** Starts an external service that answers with `answer`. */
export async function startOutsideServer(
  answer: (heard: Heard, response: ServerResponse) => void,
): Promise<OutsideServer> {
  const heard: Heard[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = Buffer.concat(await request.toArray())
    const entry = { path: request.url ?? '', authorization: request.headers.authorization, body }
    heard.push(entry)
    answer(entry, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    heard,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Streams server-sent events in the format of chat completions. */
export function stream(response: ServerResponse, chunks: readonly object[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  response.end('data: [DONE]\n\n')
}
