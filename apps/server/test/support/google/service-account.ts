import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'

export interface ServiceAccount {
  /** The JSON key, as Google offers it for download. */
  readonly key: string
  /** Parts of the key that no answer and no log line may contain. */
  readonly secrets: readonly string[]
  /** Checks the body of a request for an access token, and returns its claims. Throws if the signature is wrong. */
  claimsOf(body: string): Readonly<Record<string, unknown>>
}

/** Makes a service account that signs in at this address. */
export function makeServiceAccount(tokenUrl: string): ServiceAccount {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const file = {
    type: 'service_account',
    project_id: 'my-project',
    private_key_id: 'a-key-id',
    private_key: privateKey,
    client_email: 'speaker@my-project.iam.gserviceaccount.com',
    client_id: '1234567890',
    auth_uri: 'https://accounts.google.com/o/oauth2/auth',
    token_uri: tokenUrl,
    universe_domain: 'googleapis.com',
  }
  return {
    key: JSON.stringify(file, null, 2),
    secrets: privateKey.split('\n').filter((line) => line.length > 40),
    claimsOf(body) {
      const fields = new URLSearchParams(body)
      const [header = '', claims = '', signature = ''] = (fields.get('assertion') ?? '').split('.')
      if (fields.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
        throw new Error('wrong grant_type')
      const { alg, kid } = parsed(header)
      if (alg !== 'RS256' || kid !== 'a-key-id') throw new Error('wrong header')
      const signed = Buffer.from(`${header}.${claims}`)
      if (!verify('RSA-SHA256', signed, createPublicKey(publicKey), Buffer.from(signature, 'base64url')))
        throw new Error('wrong signature')
      return parsed(claims)
    },
  }
}

const parsed = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Readonly<Record<string, unknown>>

/** The answer of a token address. */
export const granted = (token: string, seconds = 3599) => ({
  body: { access_token: token, expires_in: seconds, token_type: 'Bearer' },
})

export const refused = {
  status: 400,
  body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' },
}
