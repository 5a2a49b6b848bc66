import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Credentials } from '../api-client.js'

export interface PendingRequest {
  /** Sends the rest and returns the status. */
  finish(): Promise<number>
  /** Settles when the connection is cut. */
  readonly cut: Promise<Error>
}

/** Sends the headers and first bytes of a task creation. The service has confirmed that it waits for more. */
export async function beginRequest(url: string, credentials: Credentials): Promise<PendingRequest> {
  const body = JSON.stringify({ title: 'Finished during shutdown' })
  const sending = request(new URL('/api/v1/Task', url), {
    method: 'POST',
    // Otherwise the service would keep the connection for another request.
    agent: new Agent({ keepAlive: true }),
    headers: {
      ...headersOf(credentials),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    },
  })
  const cut = new Promise<Error>((resolve) => sending.on('error', resolve))
  sending.flushHeaders()
  await once(sending, 'continue')
  sending.write(body.slice(0, 5))
  return {
    async finish() {
      sending.end(body.slice(5))
      const [response] = (await once(sending, 'response')) as [IncomingMessage]
      await text(response)
      return response.statusCode ?? 0
    },
    cut,
  }
}

/** A download whose response has begun and is not read yet. */
export async function beginDownload(
  url: string,
  path: string,
  credentials: Credentials,
): Promise<IncomingMessage> {
  const asking = request(new URL(path, url), {
    agent: new Agent({ keepAlive: true }),
    headers: headersOf(credentials),
  })
  asking.end()
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  return response
}

function headersOf({ apiKey, organizationId }: Credentials): Record<string, string> {
  return { 'x-api-key': apiKey, 'x-org-id': organizationId }
}
