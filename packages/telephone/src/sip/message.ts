import { randomBytes } from 'node:crypto'
import { splitList } from './header-value.js'

/** The name is in lower case and never in its compact form. */
export type Header = readonly [name: string, value: string]

export interface SipRequest {
  readonly kind: 'request'
  readonly method: string
  readonly uri: string
  readonly headers: readonly Header[]
  readonly body: string
}

export interface SipResponse {
  readonly kind: 'response'
  readonly status: number
  readonly reason: string
  readonly headers: readonly Header[]
  readonly body: string
}

export type SipMessage = SipRequest | SipResponse

/** Headers that may hold several values, separated by commas. */
const lists: ReadonlySet<string> = new Set([
  ...['via', 'route', 'record-route', 'contact', 'allow', 'supported', 'require', 'proxy-require'],
  ...['unsupported', 'accept'],
])

/** Returns the first value of a header, or an empty string. */
export function headerOf(message: SipMessage, name: string): string {
  return headersOf(message, name)[0] ?? ''
}

/** Returns all values of a header. */
export function headersOf(message: SipMessage, name: string): string[] {
  const values = message.headers.filter(([own]) => own === name).map(([, value]) => value)
  return lists.has(name) ? values.flatMap((value) => splitList(value)) : values
}

/** Returns whether a list header such as Supported or Allow contains the word. */
export function hasWord(message: SipMessage, name: string, word: string): boolean {
  return headersOf(message, name).some((value) => value.toLowerCase() === word.toLowerCase())
}

export interface CSeq {
  readonly number: number
  readonly method: string
}

export function cseqOf(message: SipMessage): CSeq {
  const [number = '', method = ''] = headerOf(message, 'cseq').split(/\s+/)
  return { number: Number(number), method }
}

/** Returns the number at the start of a header such as `Expires` or `Min-SE`, or null. */
export function secondsIn(message: SipMessage, name: string): number | null {
  const [digits] = /^\d{1,9}/.exec(headerOf(message, name)) ?? []
  return digits === undefined ? null : Number(digits)
}

/** Returns an unguessable word for tags, branches and Call-IDs. */
export function makeToken(): string {
  return randomBytes(12).toString('hex')
}

const reasons: Readonly<Record<number, string>> = {
  100: 'Trying',
  180: 'Ringing',
  183: 'Session Progress',
  200: 'OK',
  202: 'Accepted',
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  416: 'Unsupported URI Scheme',
  420: 'Bad Extension',
  422: 'Session Interval Too Small',
  480: 'Temporarily Unavailable',
  481: 'Call/Transaction Does Not Exist',
  482: 'Loop Detected',
  486: 'Busy Here',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  491: 'Request Pending',
  500: 'Server Internal Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  603: 'Decline',
}

export interface ResponseParts {
  readonly toTag?: string
  readonly headers?: readonly Header[]
  readonly body?: string
}

/** Builds a response with the headers that RFC 3261 section 8.2.6 copies from the request. */
export function makeResponse(request: SipRequest, status: number, parts: ResponseParts = {}): SipResponse {
  const copied = request.headers.flatMap(([name, value]): Header[] => {
    if (name === 'to' && parts.toTag !== undefined && !/;\s*tag\s*=/i.test(value.replace(/<[^>]*>/, '')))
      return [[name, `${value};tag=${parts.toTag}`]]
    const isRoute = name === 'record-route' && status > 100 && status < 300
    return isRoute || ['via', 'from', 'to', 'call-id', 'cseq'].includes(name) ? [[name, value]] : []
  })
  const { headers = [], body = '' } = parts
  const reason = reasons[status] ?? 'Unknown'
  return { kind: 'response', status, reason, headers: [...copied, ...headers], body }
}
