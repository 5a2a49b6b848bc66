import type { IssuerAccount, IssuerHabits } from './test-issuer.js'

const words = (said: Record<string, unknown>) => (claims: Record<string, unknown>) => ({ ...claims, ...said })
const hourAgo = () => Math.floor(Date.now() / 1000) - 3600

export interface IssuerRefusal {
  readonly code: string
  readonly habits?: IssuerHabits
  readonly account?: Partial<IssuerAccount>
  /** The error concerns a member, so it is in the audit log of the member's organization. */
  readonly isRecorded?: true
}

/** Responses of an issuer that must not sign a person in, and the error that the person sees. */
export const issuerRefusals: Readonly<Record<string, IssuerRefusal>> = {
  'another nonce': { code: 'OidcTokenInvalid', habits: { claims: words({ nonce: 'a' }) } },
  'no nonce': { code: 'OidcTokenInvalid', habits: { claims: words({ nonce: undefined }) } },
  'another issuer': { code: 'OidcTokenInvalid', habits: { claims: words({ iss: 'https://evil.example' }) } },
  'another issuer in the answer': {
    code: 'OidcTokenInvalid',
    habits: { answer: { iss: 'https://evil.example' } },
  },
  'another audience': { code: 'OidcTokenInvalid', habits: { claims: words({ aud: 'another' }) } },
  'a token that has expired': {
    code: 'OidcTokenInvalid',
    habits: { claims: (said) => ({ ...said, exp: hourAgo() }) },
  },
  'a key that nobody was shown': { code: 'OidcTokenInvalid', habits: { signsWithAnotherKey: true } },
  'no signature': { code: 'OidcTokenInvalid', habits: { signsNothing: true } },
  'a subject that is no name': { code: 'OidcTokenInvalid', habits: { claims: words({ sub: 'a\u0000b' }) } },
  no: { code: 'OidcRefused', habits: { error: 'access_denied' } },
  'a code that it does not take': { code: 'OidcRefused', habits: { answer: { code: 'guessed' } } },
  'an address that is not verified': {
    ...{ code: 'OidcEmailUnverified', isRecorded: true },
    account: { email_verified: false },
  },
  'what is no address': { code: 'OidcEmailUnverified', account: { email: 'kim' } },
  'an address of somebody else’s': {
    code: 'OidcTokenInvalid',
    habits: {
      tellsElsewhere: true,
      at: {
        '/userinfo': (response) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end('{"sub":"another"}'),
      },
    },
  },
  'an address that nobody has here': {
    code: 'OidcPersonUnknown',
    account: { email: 'stranger@example.com' },
  },
  'an unverified one that nobody has': {
    code: 'OidcEmailUnverified',
    account: { email: 'stranger@example.com', email_verified: false },
  },
  'a failure of its own': {
    code: 'OidcUnavailable',
    habits: { at: { '/token': (response) => response.writeHead(502).end('<html>') } },
  },
  'no keys': { code: 'OidcUnavailable', habits: { at: { '/jwks': (response) => response.destroy() } } },
  'an answer without end': {
    code: 'OidcUnavailable',
    habits: {
      at: {
        '/token': (response) => {
          response.writeHead(200, { 'content-type': 'application/json' })
          response.end(`{"id_token":"${'a'.repeat(300 * 1024)}"}`)
        },
      },
    },
  },
}
