import { createHmac } from 'node:crypto'
import type { CarrierRequest } from './carrier.js'
import { isSameSecret, readHeader } from './same-secret.js'

/** The signature of a form POST, or of a handshake without fields: HMAC-SHA1 over URL and sorted fields, in base64. */
export function signTwilioRequest(authToken: string, url: string, fields: URLSearchParams): string {
  const names = [...new Set(fields.keys())].sort()
  const values = names.flatMap((name) =>
    [...new Set(fields.getAll(name))].sort().map((value) => name + value),
  )
  return createHmac('sha1', authToken)
    .update([url, ...values].join(''))
    .digest('base64')
}

/** Returns true if `X-Twilio-Signature` fits the request. Twilio signs handshakes too, over the `wss:` URL. */
export function isSignedByTwilio({ url, headers, body }: CarrierRequest, authToken: string): boolean {
  const signature = readHeader(headers, 'x-twilio-signature')
  if (signature === null) return false
  const fields = new URLSearchParams(body)
  // Twilio signs a URL with the standard port or without it. Both are compared in any case, for a constant time.
  const [asConfigured, withPort] = [url, withStandardPort(url)].map((candidate) =>
    isSameSecret(signature, signTwilioRequest(authToken, candidate, fields)),
  )
  return asConfigured === true || withPort === true
}

function withStandardPort(url: string): string {
  const match = /^(https|wss|http|ws):\/\/([^/?#:]+|\[[^\]]*\])(?=[/?#]|$)/.exec(url)
  if (!match) return url
  const port = match[1] === 'https' || match[1] === 'wss' ? 443 : 80
  return `${match[0]}:${port}${url.slice(match[0].length)}`
}
