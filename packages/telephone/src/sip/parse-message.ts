import { parseNameAddress, parseVia } from './header-value.js'
import { cseqOf, type Header, headersOf, type SipMessage } from './message.js'

export type Parsed =
  | { readonly ok: true; readonly message: SipMessage; readonly length: number }
  | { readonly ok: false; readonly reason: string }

/** The longest accepted message. A UDP datagram cannot be longer. */
export const maxMessageBytes = 65_535
export const maxHeaderBytes = 16_384
const maxHeaders = 128

const compactNames: Readonly<Record<string, string>> = {
  v: 'via',
  f: 'from',
  t: 'to',
  m: 'contact',
  c: 'content-type',
  l: 'content-length',
  i: 'call-id',
  k: 'supported',
  r: 'refer-to',
  b: 'referred-by',
  s: 'subject',
  e: 'content-encoding',
  o: 'event',
  u: 'allow-events',
  x: 'session-expires',
}

const single = ['from', 'to', 'call-id', 'cseq', 'max-forwards', 'content-length', 'content-type']
const token = /^[A-Za-z0-9.!%*_+`'~-]+$/

/**
 * Parses one message of a datagram, or a message that stream framing has cut out. The work is bounded by the size of
 * the message.
 */
export function parseMessage(bytes: Buffer): Parsed {
  if (bytes.length > maxMessageBytes) return malformed('too long')
  const start = skipBlankLines(bytes)
  const end = bytes.indexOf('\r\n\r\n', start)
  if (end < 0) return malformed('no end of headers')
  if (end - start > maxHeaderBytes) return malformed('headers too long')
  const text = bytes.toString('utf8', start, end)
  if (hasControlCharacters(text)) return malformed('control characters')
  const [startLine = '', ...lines] = text.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  if (lines.length > maxHeaders) return malformed('too many headers')
  const headers = parseHeaders(lines)
  if (headers === null) return malformed('header without a name')
  const first = parseStartLine(startLine)
  if (first === null) return malformed('start line')
  const found = lengthOfBody(headers, bytes.length - end - 4)
  if (found === null) return malformed('content length')
  const body = bytes.toString('utf8', end + 4, end + 4 + found)
  const message: SipMessage = { ...first, headers, body }
  const reason = findFault(message)
  return reason === null ? { ok: true, message, length: end + 4 + found } : malformed(reason)
}

function malformed(reason: string): Parsed {
  return { ok: false, reason }
}

export function skipBlankLines(bytes: Buffer): number {
  let start = 0
  while (bytes[start] === 0x0d && bytes[start + 1] === 0x0a) start += 2
  return start
}

function hasControlCharacters(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x0a) {
      if (text.charCodeAt(index - 1) !== 0x0d) return true
    } else if (code === 0x0d) {
      if (text.charCodeAt(index + 1) !== 0x0a) return true
    } else if (code < 0x20 && code !== 0x09) return true
  }
  return false
}

function parseHeaders(lines: readonly string[]): Header[] | null {
  const headers: Header[] = []
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trimEnd().toLowerCase()
    if (!token.test(name)) return null
    headers.push([compactNames[name] ?? name, line.slice(colon + 1).trim()])
  }
  return headers
}

function parseStartLine(line: string) {
  const response = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/i.exec(line)
  if (response) {
    const [, status, reason = ''] = response
    return { kind: 'response', status: Number(status), reason } as const
  }
  const [method = '', uri = '', version = '', ...rest] = line.split(' ')
  const isValid =
    token.test(method) && /^[a-z][a-z0-9+.-]*:[^<>"]+$/i.test(uri) && /^SIP\/2\.0$/i.test(version)
  return isValid && rest.length === 0 ? ({ kind: 'request', method, uri } as const) : null
}

/** Returns null if the length is invalid or more than there is. Without a length, the body is the rest. */
function lengthOfBody(headers: readonly Header[], available: number): number | null {
  const value = headers.find(([name]) => name === 'content-length')?.[1]
  if (value === undefined) return available
  if (!/^\d{1,9}$/.test(value)) return null
  const length = Number(value)
  return length <= available ? length : null
}

function findFault(message: SipMessage): string | null {
  for (const name of ['via', 'from', 'to', 'call-id', 'cseq'])
    if (!message.headers.some(([own, value]) => own === name && value !== '')) return `no ${name}`
  for (const name of single)
    if (message.headers.filter(([own]) => own === name).length > 1) return `several ${name}`
  const { number, method } = cseqOf(message)
  if (!Number.isInteger(number) || number < 0 || number >= 2 ** 31 || !token.test(method)) return 'cseq'
  if (message.kind === 'request' && method !== message.method) return 'cseq of another method'
  const vias = headersOf(message, 'via')
  if (vias.length === 0 || vias.some((via) => parseVia(via) === null)) return 'via'
  for (const name of ['from', 'to'])
    if (headersOf(message, name).some((value) => parseNameAddress(value) === null)) return name
  return null
}
