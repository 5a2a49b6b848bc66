import { createHmac } from 'node:crypto'
import type { CarrierRequest } from './carrier.js'
import { isSameSecret, readHeader } from './same-secret.js'

/** The third version of Plivo's signature: HMAC-SHA256 over the URL, the sorted fields and a nonce, in base64. */
export function signPlivoRequest(
  authToken: string,
  { method, url, body }: Pick<CarrierRequest, 'method' | 'url' | 'body'>,
  nonce: string,
): string {
  const { origin, query } = splitUrl(url)
  const asked = sortFields(query).map(([name, value]) => `${name}=${value}`)
  const sent = method === 'POST' ? sortFields(new URLSearchParams(body)) : []
  const question = asked.length > 0 || sent.length > 0 ? `?${asked.join('&')}` : ''
  const separator = asked.length > 0 && sent.length > 0 ? '.' : ''
  const text = `${origin}${question}${separator}${sent.flat().join('')}.${nonce}`
  return createHmac('sha256', authToken).update(text).digest('base64')
}

/** Returns true if Plivo signed the request. The header may contain several signatures. */
export function isSignedByPlivo(request: CarrierRequest, authToken: string): boolean {
  const signatures = readHeader(request.headers, 'x-plivo-signature-v3')
  const nonce = readHeader(request.headers, 'x-plivo-signature-v3-nonce')
  if (signatures === null || nonce === null) return false
  const expected = signPlivoRequest(authToken, request, nonce)
  return signatures.split(',').some((signature) => isSameSecret(signature.trim(), expected))
}

function splitUrl(url: string) {
  const at = url.indexOf('?')
  return at < 0
    ? { origin: url, query: new URLSearchParams() }
    : { origin: url.slice(0, at), query: new URLSearchParams(url.slice(at + 1)) }
}

/** Sorts by name, then by value. */
function sortFields(fields: URLSearchParams): [string, string][] {
  const names = [...new Set(fields.keys())].sort()
  return names.flatMap((name) =>
    fields
      .getAll(name)
      .sort()
      .map((value): [string, string] => [name, value]),
  )
}
