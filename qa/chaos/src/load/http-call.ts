import { type IncomingMessage, request } from 'node:http'
import type { Credentials } from '@parley/stage/service/api'

/** Longer than any answer takes. */
const answerMilliseconds = 45_000

export interface HttpCall {
  readonly method: string
  readonly path: string
  readonly body?: object | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export type HttpResponse =
  | { readonly ok: true; readonly status: number; readonly body: Buffer }
  /** The answer is missing or incomplete. The request may still have taken effect. */
  | { readonly ok: false; readonly code: string }

/** The address of the service and the credentials of one organization. */
export interface HttpTarget {
  readonly url: string
  readonly credentials: Credentials
}

/** Calls the service over a new connection, so that the proxy picks the next instance. */
export async function callHttp(target: HttpTarget, call: HttpCall): Promise<HttpResponse> {
  const opened = await openHttp(target, call)
  if (!opened.ok) return opened
  const chunks: Buffer[] = []
  try {
    for await (const chunk of opened.response) chunks.push(chunk as Buffer)
  } catch (error) {
    return { ok: false, code: codeOf(error) }
  }
  return { ok: true, status: opened.response.statusCode ?? 0, body: Buffer.concat(chunks) }
}

export const jsonOf = <Body>(body: Buffer): Body => JSON.parse(body.toString('utf8')) as Body

type Opened =
  | { readonly ok: true; readonly response: IncomingMessage }
  | { readonly ok: false; readonly code: string }

/** Like `callHttp`, but resolves at the head of the response. */
export function openHttp(target: HttpTarget, { method, path, body, headers }: HttpCall): Promise<Opened> {
  const { organizationId, apiKey } = target.credentials
  const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  return new Promise((resolve) => {
    const sent = request(`${target.url}${path}`, {
      agent: false,
      method,
      headers: {
        'x-org-id': organizationId,
        'x-api-key': apiKey,
        ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
        ...headers,
      },
    })
    // The timeout also covers a server that stalls in the middle of its answer.
    sent.setTimeout(answerMilliseconds, () => sent.destroy(new Error('ETIMEDOUT')))
    sent.once('response', (response) => resolve({ ok: true, response }))
    sent.on('error', (error) => resolve({ ok: false, code: codeOf(error) }))
    sent.end(bytes)
  })
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? String(error.code) : error.message
}
