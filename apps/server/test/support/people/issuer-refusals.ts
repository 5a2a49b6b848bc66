import type { IssuerAccount, IssuerFaults } from './test-issuer.js'

const words = (said: Record<string, unknown>) => (claims: Record<string, unknown>) => ({ ...claims, ...said })
const hourAgo = () => Math.floor(Date.now() / 1000) - 3600

export interface IssuerRefusal {
  readonly code: string
  readonly faults?: IssuerFaults
  readonly account?: Partial<IssuerAccount>
  /** The error concerns a member, so it is in the audit log of the member's organization. */
  readonly isRecorded?: true
}

/** Responses of an issuer that must not sign a person in, and the error that the person sees. */
export const issuerRefusals: Readonly<Record<string, IssuerRefusal>> = {
  'an ID token with another nonce': { code: 'OidcTokenInvalid', faults: { claims: words({ nonce: 'a' }) } },
  'an ID token without a nonce': {
    code: 'OidcTokenInvalid',
    faults: { claims: words({ nonce: undefined }) },
  },
  'an ID token of another issuer': {
    code: 'OidcTokenInvalid',
    faults: { claims: words({ iss: 'https://evil.example' }) },
  },
  'another issuer in the redirect': {
    code: 'OidcTokenInvalid',
    faults: { answer: { iss: 'https://evil.example' } },
  },
  'an ID token for another audience': {
    code: 'OidcTokenInvalid',
    faults: { claims: words({ aud: 'another' }) },
  },
  'an expired ID token': {
    code: 'OidcTokenInvalid',
    faults: { claims: (said) => ({ ...said, exp: hourAgo() }) },
  },
  'a signature of an unpublished key': { code: 'OidcTokenInvalid', faults: { signsWithAnotherKey: true } },
  'an unsigned ID token': { code: 'OidcTokenInvalid', faults: { sendsUnsignedTokens: true } },
  'a NUL in the subject': { code: 'OidcTokenInvalid', faults: { claims: words({ sub: 'a\u0000b' }) } },
  'a denied consent': { code: 'OidcRefused', faults: { error: 'access_denied' } },
  'an invalid code': { code: 'OidcRefused', faults: { answer: { code: 'guessed' } } },
  'an unverified email address': {
    ...{ code: 'OidcEmailUnverified', isRecorded: true },
    account: { email_verified: false },
  },
  'an invalid email address': { code: 'OidcEmailUnverified', account: { email: 'kim' } },
  'the email address of another subject': {
    code: 'OidcTokenInvalid',
    faults: {
      usesUserInfo: true,
      at: {
        '/userinfo': (response) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end('{"sub":"another"}'),
      },
    },
  },
  'an unknown email address': {
    code: 'OidcPersonUnknown',
    account: { email: 'stranger@example.com' },
  },
  'an unknown and unverified email address': {
    code: 'OidcEmailUnverified',
    account: { email: 'stranger@example.com', email_verified: false },
  },
  'an error of the token endpoint': {
    code: 'OidcUnavailable',
    faults: { at: { '/token': (response) => response.writeHead(502).end('<html>') } },
  },
  'unavailable signing keys': {
    code: 'OidcUnavailable',
    faults: { at: { '/jwks': (response) => response.destroy() } },
  },
  'an oversized token response': {
    code: 'OidcUnavailable',
    faults: {
      at: {
        '/token': (response) => {
          response.writeHead(200, { 'content-type': 'application/json' })
          response.end(`{"id_token":"${'a'.repeat(300 * 1024)}"}`)
        },
      },
    },
  },
}
