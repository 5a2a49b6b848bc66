import { createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { InvalidAccount } from './invalid-account.js'
import { parseJson, readField } from './json-field.js'
import { isSameSecret } from './same-secret.js'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const decode = (part: string) => parseJson(Buffer.from(part, 'base64url').toString('utf8'))

/** Returns an RSA key in PEM. Throws `InvalidAccount` if it has another form. */
export function readPrivateKey(privateKey: string): KeyObject {
  try {
    const key = createPrivateKey(privateKey)
    if (key.asymmetricKeyType === 'rsa') return key
  } catch {
    // The error of the parser may quote the key.
  }
  throw new InvalidAccount('privateKey', 'must be an RSA key in PEM.')
}

/** Signs claims with a private key (RS256). */
export function signWithKey(claims: object, privateKey: KeyObject): string {
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64url')}`
}

/** Returns the claims of a token that is signed with the secret (HS256), or null. Does not check times. */
export function readSignedClaims(token: string, secret: string): Record<string, unknown> | null {
  const [header = '', claims = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || secret === '') return null
  const expected = createHmac('sha256', secret).update(`${header}.${claims}`).digest('base64url')
  if (!isSameSecret(signature, expected)) return null
  // The token must not choose another algorithm.
  if (readField(decode(header), 'alg') !== 'HS256') return null
  const value = decode(claims)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
}
