import { mcpConsentPath, operations } from '@parley/contract'
import type { Router } from '../operation-route.js'
import type { App, Services } from '../services.js'
import { consoleAddress } from './console.js'

export function registerMcpAuthorizationRoutes(
  app: App,
  { read, write, act }: Router,
  { mcpAuthorizations, publicUrl }: Services,
): void {
  read(operations.listMcpAuthorizations, ({ query }, scope) => mcpAuthorizations.list(scope, query))
  write(operations.createMcpAuthorization, ({ body }, scope) => mcpAuthorizations.create(scope, body))
  read(operations.getMcpAuthorization, ({ params }, scope) =>
    mcpAuthorizations.read(scope, params.mcpAuthorizationId),
  )
  act(operations.beginMcpAuthorizationConsent, ({ params, body }, scope) =>
    mcpAuthorizations.begin(scope, params.mcpAuthorizationId, body),
  )
  act(operations.completeMcpAuthorizationConsent, ({ params, body }, scope) =>
    mcpAuthorizations.complete(scope, params.mcpAuthorizationId, body),
  )
  act(operations.deleteMcpAuthorization, ({ params }, scope) =>
    mcpAuthorizations.remove(scope, params.mcpAuthorizationId),
  )

  // The page completes the consent as the signed-in user, so that a redirect from another site has no effect.
  app.get(mcpConsentPath, async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    const [, query = ''] = request.originalUrl.split(/\?(.*)/s)
    return reply.redirect(consoleAddress(publicUrl(), 'mcp-consent', query), 302)
  })
}
