import { createHash } from 'node:crypto'
import type { CarrierRequest, CarrierRequestKind } from './carrier.js'
import { readSignedClaims } from './json-web-token.js'
import { isSameSecret, readHeader } from './same-secret.js'

const maxAgeSeconds = 300

export interface VonageSigner {
  readonly applicationId: string
  /** The signature secret of the account, which is not its API secret. */
  readonly signatureSecret: string
}

/** Returns true if Vonage signed the request within the last five minutes, and its content is unchanged. */
export function isSignedByVonage(
  request: CarrierRequest & { readonly kind: CarrierRequestKind },
  { applicationId, signatureSecret }: VonageSigner,
  nowSeconds: number,
): boolean {
  const token = /^Bearer (\S+)$/i.exec(readHeader(request.headers, 'authorization') ?? '')?.[1]
  const claims = token === undefined ? null : readSignedClaims(token, signatureSecret)
  if (claims === null) return false
  const { iat, exp, application_id: application, payload_hash: hash } = claims
  if (typeof iat !== 'number' || Math.abs(nowSeconds - iat) > maxAgeSeconds) return false
  if (exp !== undefined && (typeof exp !== 'number' || exp < nowSeconds)) return false
  if (application !== undefined && application !== applicationId) return false
  if (typeof hash === 'string') return isSameSecret(hash, hashPayload(request))
  // Without a hash, the token of one request would be valid for another body.
  return request.kind === 'handshake' || request.method !== 'POST'
}

/** SHA-256 of the body, or of the query as JSON. */
function hashPayload({ method, url, body }: CarrierRequest): string {
  const payload = method === 'GET' ? JSON.stringify(Object.fromEntries(new URL(url).searchParams)) : body
  return createHash('sha256').update(payload).digest('hex')
}
