import { mcpScopes, operations, parseUrl, personOperations } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { checkRequest, requireClient } from '../../../domain/mcp-grants/access-request.js'
import { accessSeconds } from '../../../domain/mcp-grants/grant-tokens.js'
import { withQuery } from '../../../domain/mcp-grants/mcp-grants.js'
import { redirectTarget, registerOAuthClient } from '../../../domain/mcp-grants/oauth-client.js'
import { OAuthRefusal } from '../../../domain/mcp-grants/oauth-refusal.js'
import { escapeHtml, renderPage, sendPage, wantsPage } from '../answer/html-page.js'
import type { Router } from '../operation-route.js'
import type { PersonRouter } from '../person-route.js'
import { findUnstorable } from '../request/validation.js'
import type { App, Services } from '../services.js'
import { consoleAddress } from './console.js'

const maxFormBytes = 16 * 1024
const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' } as const

const field = () => z.string().min(1).max(5000)

const TokenForm = z.discriminatedUnion('grant_type', [
  z.object({
    grant_type: z.literal('authorization_code'),
    code: field(),
    code_verifier: field(),
    client_id: field(),
    redirect_uri: field().optional(),
    resource: field().optional(),
  }),
  z.object({
    grant_type: z.literal('refresh_token'),
    refresh_token: field(),
    client_id: field(),
    resource: field().optional(),
  }),
])

const RevocationForm = z.object({ token: field(), client_id: field() })

const AuthorizeQuery = z.object({
  client_id: z.string().max(5000).default(''),
  redirect_uri: z.string().max(2000).default(''),
  response_type: z.string().max(100).default(''),
  code_challenge: z.string().max(200).default(''),
  code_challenge_method: z.string().max(100).default('plain'),
  scope: z.string().max(2000).optional(),
  resource: z.string().max(2000).optional(),
  state: z.string().max(4000).optional(),
})

/**
 * Registers the service as the issuer of access tokens for its own /mcp: authorization code with PKCE,
 * dynamic client registration, and consent in the console. These endpoints are not part of the API. Clients
 * find them through /.well-known.
 */
export function registerOAuthRoutes(app: App, services: Services): void {
  const { cipher, grantTokens, publicUrl, mcpResource } = services

  const protectedResource = () => ({
    resource: mcpResource(),
    authorization_servers: [publicUrl()],
    scopes_supported: mcpScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Parley',
  })
  app.get('/.well-known/oauth-protected-resource', async () => protectedResource())
  app.get('/.well-known/oauth-protected-resource/mcp', async () => protectedResource())
  app.get('/.well-known/oauth-authorization-server', async () => ({
    issuer: publicUrl(),
    authorization_endpoint: `${publicUrl()}/oauth/authorize`,
    token_endpoint: `${publicUrl()}/oauth/token`,
    registration_endpoint: `${publicUrl()}/oauth/register`,
    revocation_endpoint: `${publicUrl()}/oauth/revoke`,
    scopes_supported: mcpScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }))

  app.post('/oauth/register', (request, reply) =>
    answerOAuth(reply, 201, async () => {
      requireStorable(request.body)
      const { clientId, clientName, redirectUris } = registerOAuthClient(cipher, request.body)
      return {
        client_id: clientId,
        client_name: clientName,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      }
    }),
  )

  app.get('/oauth/authorize', async (request, reply) => {
    reply.headers({ ...noStore, vary: 'accept', 'referrer-policy': 'no-referrer' })
    return authorize(request, reply)
  })

  /**
   * Sends the browser to the console, where a signed-in person decides. Errors are shown on a page of the
   * service. Anyone can register a client, so a redirect before the decision would lead to an untrusted
   * address (RFC 9700, 4.11.2).
   */
  function authorize(request: FastifyRequest, reply: FastifyReply) {
    const [, search = ''] = request.originalUrl.split(/\?(.*)/s)
    const query = AuthorizeQuery.safeParse(Object.fromEntries(new URLSearchParams(search)))
    const refuse = (refusal: OAuthRefusal, address: string | null) =>
      wantsPage(request)
        ? sendPage(reply.code(statusOf(refusal)), renderOAuthErrorPage(refusal, address))
        : sendRefusal(reply, refusal)
    if (!query.success) return refuse(new OAuthRefusal('invalid_request', 'A parameter is too long.'), null)
    const { client_id: clientId, redirect_uri: redirectUri, state } = query.data
    try {
      requireClient(cipher, { clientId, redirectUri })
    } catch (error) {
      if (error instanceof OAuthRefusal) return refuse(error, null)
      throw error
    }
    try {
      requireCode(query.data)
      const { code_challenge: codeChallenge, scope = null, resource = null } = query.data
      checkRequest(cipher, mcpResource(), { clientId, redirectUri, codeChallenge, scope, resource })
      const asked = new URLSearchParams({ clientId, redirectUri, codeChallenge })
      for (const [name, value] of Object.entries({ scope, resource, state }))
        if (typeof value === 'string') asked.set(name, value)
      return reply.redirect(consoleAddress(publicUrl(), 'authorize', String(asked)), 302)
    } catch (error) {
      if (!(error instanceof OAuthRefusal)) throw error
      const parameters = { error: error.code, error_description: error.message, iss: publicUrl() }
      return refuse(error, withQuery(redirectUri, { ...parameters, ...(state !== undefined && { state }) }))
    }
  }

  app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxFormBytes },
      (_request, body, done) => done(null, formOf(String(body))),
    )

    scope.post('/oauth/token', (request, reply) =>
      answerOAuth(reply, 200, async () => {
        const form = parseForm(TokenForm, request.body)
        const {
          accessToken,
          refreshToken,
          scope: granted,
        } = form.grant_type === 'authorization_code'
          ? await grantTokens.exchange({
              code: form.code,
              codeVerifier: form.code_verifier,
              clientId: form.client_id,
              redirectUri: form.redirect_uri ?? null,
              resource: form.resource ?? null,
            })
          : await grantTokens.renew({
              refreshToken: form.refresh_token,
              clientId: form.client_id,
              resource: form.resource ?? null,
            })
        return {
          access_token: accessToken,
          token_type: 'Bearer',
          expires_in: accessSeconds,
          refresh_token: refreshToken,
          scope: granted,
        }
      }),
    )

    scope.post('/oauth/revoke', (request, reply) =>
      answerOAuth(reply, 200, async () => {
        const { token, client_id: clientId } = parseForm(RevocationForm, request.body)
        await grantTokens.revoke(token, clientId)
        return {}
      }),
    )
  })
}

/** Registers the API operations for grants: people's decisions, and lists for people and organizations. */
export function registerMcpGrantRoutes(
  { read, write }: Router,
  own: PersonRouter,
  { mcpGrants }: Services,
): void {
  read(operations.listMcpGrants, ({ query }, scope) => mcpGrants.listOf(scope, query))
  write(operations.deleteMcpGrant, ({ params }, scope) => mcpGrants.removeOf(scope, params.mcpGrantId))
  own.read(personOperations.presentMcpRequest, ({ body }, scope) => mcpGrants.present(scope, body))
  own.write(personOperations.decideMcpRequest, ({ body }, scope) => mcpGrants.decide(scope, body))
  own.read(personOperations.listMeMcpGrants, ({ query }, scope) => mcpGrants.listOwn(scope, query))
  own.write(personOperations.deleteMeMcpGrant, ({ params }, scope) =>
    mcpGrants.removeOwn(scope, params.mcpGrantId),
  )
}

function requireCode({
  response_type: responseType,
  code_challenge: challenge,
  code_challenge_method: method,
}: z.output<typeof AuthorizeQuery>): void {
  if (responseType !== 'code')
    throw new OAuthRefusal('unsupported_response_type', 'response_type must be code.')
  if (challenge === '' || method !== 'S256')
    throw new OAuthRefusal(
      'invalid_request',
      'PKCE is required. Send code_challenge with code_challenge_method S256.',
    )
}

function formOf(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

function parseForm<Form extends z.ZodType>(form: Form, body: unknown): z.output<Form> {
  requireStorable(body)
  const parsed = form.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue?.code === 'invalid_union')
    throw new OAuthRefusal(
      'unsupported_grant_type',
      'grant_type must be authorization_code or refresh_token.',
    )
  throw new OAuthRefusal('invalid_request', `${issue?.path.join('.') || 'The form'} is missing or invalid.`)
}

function requireStorable(body: unknown): void {
  const unstorable = findUnstorable(body)
  if (unstorable !== null)
    throw new OAuthRefusal('invalid_request', `${unstorable.path} ${unstorable.message}.`)
}

async function answerOAuth(
  reply: FastifyReply,
  status: number,
  work: () => Promise<object>,
): Promise<FastifyReply> {
  reply.headers(noStore)
  try {
    return reply.code(status).send(await work())
  } catch (error) {
    if (error instanceof OAuthRefusal) return sendRefusal(reply, error)
    throw error
  }
}

function sendRefusal(reply: FastifyReply, refusal: OAuthRefusal): FastifyReply {
  const { code, message } = refusal
  return reply.code(statusOf(refusal)).send({ error: code, error_description: message })
}

const statusOf = ({ code }: OAuthRefusal) => (code === 'invalid_client' ? 401 : 400)

/**
 * Renders a rejected authorization request. `address` receives the error, or is null if the client or its
 * address is not registered. Only web addresses become a link, because other schemes could start a program.
 */
function renderOAuthErrorPage({ code, message }: OAuthRefusal, address: string | null): string {
  const url = address === null ? null : parseUrl(address)
  const lines = [
    '<h1>This request cannot be allowed</h1>',
    `<p>${escapeHtml(message)}</p>`,
    `<p><code>${escapeHtml(code)}</code></p>`,
  ]
  if (url !== null) {
    const target = escapeHtml(redirectTarget(url))
    lines.push(`<p>The application at <strong>${target}</strong> sent this request.</p>`)
    if (url.protocol === 'https:' || url.protocol === 'http:')
      lines.push(
        `<p><a href="${escapeHtml(url.href)}" rel="noreferrer nofollow">Continue to ${target}</a> only if you know this address.</p>`,
      )
  }
  return renderPage('This request cannot be authorized', lines.join('\n'))
}
