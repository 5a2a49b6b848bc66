// An MCP server that requires OAuth, with the issuer of its tokens, both by the official library. The issuer
// grants every consent at once.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { InvalidGrantError, InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import { mcpAuthRouter } from '@modelcontextprotocol/sdk/server/auth/router.js'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { makeShopServer } from '../tools/stateless-mcp-server.mjs'

const expiresInSeconds = 3600

function makeProvider(seen, canRegister) {
  const clients = new Map()
  const codes = new Map()
  const access = new Set()
  const refresh = new Set()
  const issue = () => {
    const tokens = { access_token: `at-${randomUUID()}`, refresh_token: `rt-${randomUUID()}` }
    access.add(tokens.access_token)
    refresh.add(tokens.refresh_token)
    return { ...tokens, token_type: 'bearer', expires_in: expiresInSeconds, scope: 'shop', ...seen.answer }
  }
  const known = {
    getClient: (id) =>
      clients.get(id) ??
      (id === 'known' ? { client_id: 'known', redirect_uris: seen.redirectUris } : undefined),
    registerClient: (client) => {
      seen.registered.push(client.client_name)
      clients.set(client.client_id, client)
      return client
    },
  }
  return {
    access,
    refresh,
    get clientsStore() {
      return canRegister ? known : { getClient: known.getClient }
    },
    async authorize(_client, { codeChallenge, redirectUri, state, scopes, resource }, response) {
      seen.consents.push({ scopes, resource: String(resource) })
      const code = randomUUID()
      codes.set(code, codeChallenge)
      response.redirect(`${redirectUri}?${new URLSearchParams({ code, state })}`)
    },
    challengeForAuthorizationCode: async (_client, code) => codes.get(code) ?? '',
    async exchangeAuthorizationCode(_client, code) {
      if (!codes.delete(code)) throw new InvalidGrantError('The code is not known.')
      return issue()
    },
    async exchangeRefreshToken(_client, token) {
      seen.renewals.push(token)
      await seen.beforeRenewal()
      if (!refresh.delete(token)) throw new InvalidGrantError('The refresh token is not known.')
      return issue()
    },
    async verifyAccessToken(token) {
      if (!access.has(token)) throw new InvalidTokenError('The token is not known.')
      return { token, clientId: 'any', scopes: ['shop'], expiresAt: Date.now() / 1000 + expiresInSeconds }
    },
    async revokeToken(_client, { token }) {
      seen.revoked.push(token)
      refresh.delete(token)
    },
  }
}

export async function startGuardedMcpServer({ canRegister = true } = {}) {
  const seen = { registered: [], consents: [], renewals: [], revoked: [], redirectUris: [] }
  // Fields that the test replaces in token responses, and a callback before each renewal.
  Object.assign(seen, { answer: {}, beforeRenewal: async () => undefined })
  const provider = makeProvider(seen, canRegister)
  const app = createMcpExpressApp()
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${server.address().port}`
  const resourceMetadataUrl = `${base}/.well-known/oauth-protected-resource/mcp`
  const options = { issuerUrl: new URL(base), resourceServerUrl: new URL(`${base}/mcp`) }
  app.use(mcpAuthRouter({ ...options, provider, scopesSupported: ['shop'] }))
  const handle = toNodeHandler(createMcpHandler(makeShopServer))
  app.all('/mcp', requireBearerAuth({ verifier: provider, resourceMetadataUrl }), (request, response) =>
    handle(request, response, request.body),
  )
  return {
    url: `${base}/mcp`,
    seen,
    forgetAccess: () => provider.access.clear(),
    forgetRefresh: () => provider.refresh.clear(),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
