import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeAfterwards } from '../close-afterwards.js'

export const clientId = 'parley'
export const clientSecret = 'a-secret:of+the/client'

/** The issuer's account of the person who signs in. */
export interface IssuerAccount {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean | string
  readonly name?: string
}

/** Faults of a broken, careless or foreign issuer. Without any, it behaves correctly. */
export interface IssuerFaults {
  /** Changes the claims of the id token. */
  readonly claims?: (claims: Record<string, unknown>) => Record<string, unknown>
  /** Signs with a key that it does not publish. */
  readonly signsWithAnotherKey?: boolean
  /** Sends unsigned tokens. */
  readonly sendsUnsignedTokens?: boolean
  /** Adds parameters to the redirect. */
  readonly answer?: Readonly<Record<string, string>>
  /** Redirects with an error instead of a code. */
  readonly error?: string
  /** Accepts a code repeatedly and from any client. */
  readonly acceptsAnyCode?: boolean
  /** Returns the identity from the user info endpoint and not in the token. */
  readonly usesUserInfo?: boolean
  /** Replaces the response at this path. */
  readonly at?: Readonly<Record<string, (response: ServerResponse) => void>>
}

export interface TestIssuer {
  readonly url: string
  /** Every requested path, in order. */
  readonly asked: string[]
  account: IssuerAccount
  faults: IssuerFaults
  /** Signs with a new key from now on and publishes only that one. */
  rotateKey(): void
  close(): Promise<void>
}

interface Grant {
  readonly account: IssuerAccount
  readonly query: URLSearchParams
}

interface SigningKey {
  readonly id: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** Generating a key takes longer than most tests, so later issuers reuse the keys of earlier ones. */
const spareKeys: Omit<SigningKey, 'id'>[] = []

const newKey = (): SigningKey => ({
  ...(spareKeys.pop() ?? generateKeyPairSync('rsa', { modulusLength: 2048 })),
  id: randomUUID(),
})

/** An OpenID provider on a real port: discovery, code with PKCE, RS256 tokens, keys, user info. */
export async function startTestIssuer(): Promise<TestIssuer> {
  const grants = new Map<string, Grant>()
  let key = newKey()
  const anotherKey = newKey()
  const used = [key, anotherKey]
  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const routes: Readonly<Record<string, (request: IncomingMessage, query: URLSearchParams) => Answer>> = {
    '/.well-known/openid-configuration': () => ({
      body: {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        userinfo_endpoint: `${url}/userinfo`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      },
    }),
    '/jwks': () => ({
      body: { keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: key.id, use: 'sig', alg: 'RS256' }] },
    }),
    '/authorize': (_request, query) => authorize(query),
    '/token': ({ headers }, form) => ({ ...redeem(headers.authorization ?? '', form) }),
    '/userinfo': () => ({ body: issuer.account }),
  }

  function authorize(query: URLSearchParams): Answer {
    const back = new URL(query.get('redirect_uri') ?? '')
    const code = randomUUID()
    const { error, answer = {} } = issuer.faults
    grants.set(code, { account: issuer.account, query })
    const said = error === undefined ? { code } : { error }
    for (const [name, value] of Object.entries({
      ...said,
      state: query.get('state') ?? '',
      iss: url,
      ...answer,
    }))
      back.searchParams.set(name, value)
    return { status: 302, headers: { location: back.href }, body: '' }
  }

  function redeem(authorization: string, form: URLSearchParams): Answer {
    const grant = grants.get(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const { acceptsAnyCode = false, usesUserInfo = false } = issuer.faults
    const isRight =
      isOurClient(authorization) &&
      grant?.query.get('code_challenge_method') === 'S256' &&
      grant.query.get('code_challenge') === challenge &&
      grant.query.get('redirect_uri') === form.get('redirect_uri')
    if (grant === undefined || !isRight) return { status: 400, body: { error: 'invalid_grant' } }
    if (!acceptsAnyCode) grants.delete(form.get('code') ?? '')
    const told = usesUserInfo ? { sub: grant.account.sub } : grant.account
    return {
      body: {
        access_token: randomUUID(),
        token_type: 'Bearer',
        id_token: idToken(told, grant.query.get('nonce')),
      },
    }
  }

  function idToken(told: object, nonce: string | null): string {
    const { claims = (said) => said, signsWithAnotherKey, sendsUnsignedTokens } = issuer.faults
    const now = Math.floor(Date.now() / 1000)
    const body = claims({ iss: url, aud: clientId, iat: now, exp: now + 300, nonce, ...told })
    const header = sendsUnsignedTokens ? { alg: 'none' } : { alg: 'RS256', kid: key.id }
    const signed = [header, body]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const { privateKey } = signsWithAnotherKey ? anotherKey : key
    const signature = sendsUnsignedTokens
      ? ''
      : sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')
    return `${signed}.${signature}`
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    issuer.asked.push(pathname)
    let text = ''
    for await (const chunk of request) text += chunk
    const instead = issuer.faults.at?.[pathname]
    if (instead) return instead(response)
    const answer = routes[pathname]?.(
      request,
      request.method === 'POST' ? new URLSearchParams(text) : searchParams,
    )
    const { status = 200, headers = {}, body } = answer ?? { status: 404, body: {} }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

  const issuer: TestIssuer = {
    url,
    asked: [],
    account: { sub: 'nobody' },
    faults: {},
    rotateKey() {
      key = newKey()
      used.push(key)
    },
    close: closeAfterwards(() => {
      spareKeys.push(...used)
      server.closeAllConnections()
      server.close()
    }),
  }
  return issuer
}

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The standard requires that both parts are form-encoded. */
function isOurClient(authorization: string): boolean {
  const text = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
  const [id, secret] = text.split(':').map((part) => new URLSearchParams(`part=${part}`).get('part'))
  return id === clientId && secret === clientSecret
}
