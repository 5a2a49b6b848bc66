import { createPrivateKey, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { ServiceAccountKey } from '@parley/contract'

const signAsync = promisify(sign)

/** The rights that Vertex AI needs. Google checks the roles of the account in addition. */
const scope = 'https://www.googleapis.com/auth/cloud-platform'
const lifetimeSeconds = 3600

/**
 * Returns a signed request for an access token (RFC 7523), or null if the private key cannot sign with RS256. Signing takes
 * milliseconds, so it does not happen on the event loop.
 */
export async function signedRequest(key: ServiceAccountKey, now: Date): Promise<string | null> {
  const issuedAt = Math.floor(now.getTime() / 1000)
  const header = { alg: 'RS256', typ: 'JWT', ...(key.privateKeyId !== null && { kid: key.privateKeyId }) }
  const claims = {
    iss: key.clientEmail,
    scope,
    aud: key.tokenUrl,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
  }
  const unsigned = `${encoded(header)}.${encoded(claims)}`
  try {
    const privateKey = createPrivateKey(key.privateKey)
    if (privateKey.asymmetricKeyType !== 'rsa') return null
    const signature = await signAsync('RSA-SHA256', Buffer.from(unsigned), privateKey)
    return `${unsigned}.${signature.toString('base64url')}`
  } catch {
    return null
  }
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
