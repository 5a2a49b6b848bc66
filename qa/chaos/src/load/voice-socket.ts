import WebSocket from 'ws'
import { callHttp, jsonOf } from './http-call.js'
import type { Ledger } from './ledger.js'
import type { Tenant } from './tenant.js'

const openMilliseconds = 15_000

export interface OpenSocket {
  readonly socket: WebSocket
  readonly conversationId: string
}

export interface SessionRequest {
  readonly url: string
  readonly tenant: Tenant
  readonly key: string
  /** The conversation to continue, or null for a new one. */
  readonly conversationId: string | null
}

/** Requests a session and opens its socket. Returns null on failure, which is normal during an outage. */
export async function openVoice(ledger: Ledger, wish: SessionRequest): Promise<OpenSocket | null> {
  const { url, tenant, key, conversationId } = wish
  const answer = await callHttp(
    { url, credentials: tenant.credentials },
    {
      method: 'POST',
      path: `/api/v1/Agent/${tenant.voiceAgentId}/realtime-session`,
      body: { conversationId, additionalInstructions: `chaos ${key}` },
    },
  )
  const body = ledger.note('a session', answer, [200, 201])
  if (body === null) return null
  const ticket = jsonOf<{ conversationId: string; webSocketPath: string }>(body)
  const socket = new WebSocket(`${url.replace('http', 'ws')}${ticket.webSocketPath}`, {
    perMessageDeflate: false,
    handshakeTimeout: openMilliseconds,
    // The service forwards the provider's frames unchanged, so they may contain invalid UTF-8.
    skipUTF8Validation: true,
  })
  return new Promise((resolve) => {
    socket.on('error', () => undefined)
    socket.once('unexpected-response', (_, response) => {
      const status = response.statusCode ?? 0
      ledger.count(`socket ${status}`)
      if (status !== 503) noteRejection(ledger, status, response)
      response.resume()
      socket.terminate()
    })
    socket.once('close', () => resolve(null))
    socket.once('open', () => resolve({ socket, conversationId: ticket.conversationId }))
  })
}

function noteRejection(ledger: Ledger, status: number, response: NodeJS.ReadableStream): void {
  let body = ''
  response.on('data', (chunk: Buffer) => {
    body += chunk.toString('utf8')
  })
  // A handshake that fails late uses up its token. The load never reuses a token, so every rejection is
  // unexpected.
  response.once('end', () => ledger.strange(`a socket was rejected with ${status}: ${body.slice(0, 300)}`))
}
