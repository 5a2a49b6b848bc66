import { placeholdersOf } from '@parley/contract'
import type { OutboundMethod } from '../../ports/outbound.js'
import type { HttpTool, ToolInvocation } from '../../ports/tool-executor.js'
import { fillBody } from './fill-body.js'
import { fillUrl, type QueryTemplate } from './fill-url.js'
import { type Arguments, textOf } from './placeholders.js'

export type BuiltRequest =
  | {
      readonly ok: true
      readonly url: string
      readonly method: OutboundMethod
      readonly headers: Readonly<Record<string, string>>
      readonly body: string | undefined
    }
  | { readonly ok: false; readonly problem: string }

/** The parts of a call that the request needs. */
type RequestInput = Pick<
  ToolInvocation,
  'arguments' | 'variables' | 'headers' | 'idempotencyKey' | 'endUserId'
>

/** Builds the request for a call of an http tool. */
export function buildRequest({ request }: HttpTool, invocation: RequestInput): BuiltRequest {
  const given = invocation.arguments
  const unused = findUnusedArguments(request, given)
  const isInQuery = request.method === 'GET' || request.method === 'DELETE'
  const templates: QueryTemplate[] = Object.entries(request.query)
  const filled = fillUrl(request.url, templates, invocation)
  if (!filled.ok) return filled
  const hasOwnBody = request.body !== null && request.body !== undefined
  const url = hasOwnBody || !isInQuery ? filled.url : withQuery(filled.url, unused, parameterNames(request))
  const content = hasOwnBody ? (fillBody(request.body, invocation) ?? null) : unused
  const body = hasOwnBody || !isInQuery ? JSON.stringify(content) : undefined
  return {
    ok: true,
    url,
    method: request.method,
    headers: composeHeaders(invocation, body !== undefined),
    body,
  }
}

/** The arguments that url and query do not use. They are only sent if the tool has no body of its own. */
function findUnusedArguments(request: HttpTool['request'], given: Arguments): Arguments {
  const used = new Set([request.url, ...Object.values(request.query)].flatMap(placeholdersOf))
  return Object.fromEntries(Object.entries(given).filter(([name]) => !used.has(name)))
}

/** The parameters that the author has specified. The model can neither replace nor repeat them. */
function parameterNames({ url, query }: HttpTool['request']): ReadonlySet<string> {
  const own = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
  return new Set([...new URLSearchParams(own).keys(), ...Object.keys(query)])
}

function withQuery(url: string, unused: Arguments, taken: ReadonlySet<string>): string {
  const pairs = Object.entries(unused)
    .filter(([name, value]) => !taken.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => [name, textOf(value)].map((part) => encodeURIComponent(part.toWellFormed())))
    .map(([name, value]) => `${name}=${value}`)
  if (pairs.length === 0) return url
  return `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`
}

function composeHeaders(
  { headers, idempotencyKey, endUserId }: RequestInput,
  hasBody: boolean,
): Record<string, string> {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return {
    accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...Object.fromEntries(own),
    'idempotency-key': idempotencyKey,
    ...(endUserId !== null && { 'parley-end-user-id': endUserId }),
  }
}
