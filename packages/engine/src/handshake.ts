import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

export interface EngineGate {
  readonly path: string
  readonly secret: string | null
  hasRoom(request: IncomingMessage): boolean
}

/** Checks path, authentication, model and capacity, in this order. Rejects the handshake and returns true if one fails. */
export function rejectUpgrade(
  gate: EngineGate,
  request: IncomingMessage,
  socket: Duplex,
  model: string,
): boolean {
  const { pathname } = new URL(request.url ?? '/', 'http://engine')
  if (pathname !== gate.path) return reject(socket, 404, 'not_found', `Not found. Use ${gate.path}.`)
  if (!isKnown(gate.secret, tokenOf(request)))
    return reject(socket, 401, 'invalid_api_key', 'Incorrect API key provided.')
  if (model === '') return reject(socket, 400, 'missing_model', 'You must provide a model parameter.')
  if (!gate.hasRoom(request))
    return reject(
      socket,
      429,
      'rate_limit_exceeded',
      'The engine has reached its maximum number of sessions.',
    )
  return false
}

const modelsPath = '/v1/models'
/** The engine accepts every model name. Parley itself uses this one. */
const modelList = { object: 'list', data: [{ id: 'parley-engine', object: 'model', owned_by: 'parley' }] }

/** Answers plain HTTP requests: the model list, which clients use to test address and key, and an upgrade hint for sessions. */
export function answerPlainRequest(
  gate: EngineGate,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const send = (status: number, body: object, headers: Readonly<Record<string, string>> = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
  const { pathname } = new URL(request.url ?? '/', 'http://engine')
  if (pathname === gate.path)
    return send(426, invalidRequest(null, `Open ${gate.path} as a WebSocket.`), { upgrade: 'websocket' })
  if (request.method !== 'GET' || pathname !== modelsPath)
    return send(404, invalidRequest('not_found', `Not found. Use ${gate.path}.`))
  if (!isKnown(gate.secret, tokenOf(request)))
    return send(401, invalidRequest('invalid_api_key', 'Incorrect API key provided.'))
  send(200, modelList)
}

function invalidRequest(code: string | null, message: string) {
  return { error: { type: 'invalid_request_error', code, message, param: null } }
}

/** Browsers cannot set headers on a WebSocket, so browser clients send the key as a subprotocol. */
function tokenOf({ headers }: IncomingMessage): string {
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
  const offered = /(?:^|,)\s*openai-insecure-api-key\.([^,\s]+)/.exec(
    headers['sec-websocket-protocol'] ?? '',
  )?.[1]
  return bearer ?? offered ?? ''
}

function isKnown(secret: string | null, token: string): boolean {
  if (secret === null) return true
  // Digests have equal length, so the comparison does not leak the length of the secret.
  return timingSafeEqual(digest(token), digest(secret))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  429: 'Too Many Requests',
}

function reject(socket: Duplex, status: number, code: string, message: string): true {
  const type = status === 429 ? 'rate_limit_error' : 'invalid_request_error'
  const body = JSON.stringify({ error: { type, code, message, param: null } })
  socket.on('error', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status} ${phrases[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  return true
}
