import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { CarrierRequest } from './carrier.js'
import { InvalidAccount } from './invalid-account.js'
import { readHeader } from './same-secret.js'

const maxAgeSeconds = 300

/** Returns the key of Telnyx's portal: base64 of 32 bytes. Throws `InvalidAccount` if it has another form. */
export function readTelnyxKey(publicKey: string): KeyObject {
  const bytes = Buffer.from(publicKey, 'base64')
  if (bytes.length !== 32)
    throw new InvalidAccount('publicKey', "must be the base64 of Telnyx's 32-byte public key.")
  return createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') },
  })
}

/** Returns true if Telnyx signed the webhook within the last five minutes. */
export function isSignedByTelnyx(
  { headers, body }: CarrierRequest,
  publicKey: KeyObject,
  nowSeconds: number,
): boolean {
  const signature = readHeader(headers, 'telnyx-signature-ed25519')
  const timestamp = readHeader(headers, 'telnyx-timestamp')
  if (signature === null || timestamp === null || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(nowSeconds - Number(timestamp)) > maxAgeSeconds) return false
  const bytes = Buffer.from(signature, 'base64')
  return bytes.length === 64 && verify(null, Buffer.from(`${timestamp}|${body}`), publicKey, bytes)
}
