import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { ExchangeFile } from './exchange-files.js'
import { readBody, reject } from './loopback-server.js'

export interface RecordedRequest {
  readonly file: ExchangeFile
  readonly target: string
  /** Callbacks with which the recorder's `close` ends exchanges. */
  readonly ends: Set<() => void>
}

/**
 * Headers that belong to one connection, and `accept-encoding`, which would make the recorded answer
 * unreadable.
 */
const ownHeaders = ['host', 'connection', 'transfer-encoding', 'content-length', 'accept-encoding']

/** Response headers that clients depend on. */
const recordedHeaders = ['content-type', 'retry-after', 'retry-after-ms']

/** Forwards a request and streams the answer back. Records both. */
export async function recordRequest(
  { file, target, ends }: RecordedRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request)
  if (body === null) return reject(response, 413, 'The body is too long to be recorded.')
  if (body.length > 0) file.text('client', body.toString('utf8'))
  const pieces: Buffer[] = []
  const end = (from: 'client' | 'provider', isWhole: boolean) => {
    writePieces(file, pieces.splice(0))
    file.end(from, { isWhole })
    ends.delete(giveUp)
  }
  const giveUp = () => end('client', false)
  ends.add(giveUp)
  await new Promise<void>((resolve) => {
    const passed = forward(target, request, body)
    response.on('close', () => {
      if (!response.writableFinished) giveUp()
      passed.destroy()
      resolve()
    })
    passed.on('error', () => {
      end('provider', false)
      response.destroy()
    })
    passed.on('response', (answer) => {
      const status = answer.statusCode ?? 502
      const headers = headersOf(answer, recordedHeaders)
      file.status(status, headers)
      response.writeHead(status, headers)
      answer.on('data', (piece: Buffer) => {
        pieces.push(piece)
        response.write(piece)
      })
      answer.on('end', () => {
        end('provider', true)
        response.end()
      })
      answer.on('error', () => {
        end('provider', false)
        response.destroy()
      })
    })
  })
}

function forward(target: string, request: IncomingMessage, body: Buffer) {
  const url = new URL(target)
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const names = Object.keys(request.headers).filter((name) => !ownHeaders.includes(name))
  const headers = { ...headersOf(request, names), 'content-length': String(body.length) }
  const passed = send(url, { method: request.method, headers })
  passed.end(body)
  return passed
}

export function headersOf(message: IncomingMessage, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = message.headers[name]
      return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]]
    }),
  )
}

/** Writes the pieces as they arrived. If a secret or a character spans two pieces, writes them as one. */
function writePieces(file: ExchangeFile, pieces: readonly Buffer[]): void {
  if (pieces.length === 0) return
  const whole = Buffer.concat(pieces)
  if (!isText(whole)) return file.bytes('provider', whole)
  const isCut = pieces.some((piece) => !isText(piece)) || file.holdsSecret(whole.toString('utf8'))
  for (const piece of isCut ? [whole] : pieces) file.text('provider', piece.toString('utf8'))
}

function isText(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString('utf8')).equals(bytes)
}
