import { buildAsyncApi } from '@parley/contract/asyncapi'
import { buildOpenApi } from '@parley/contract/openapi'
import scalar from '@scalar/fastify-api-reference'
import type { App } from '../services.js'

/** The reference's page runs its own script from this service, and talks to this service alone. */
const referencePolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"

/** The page shows this service and nothing else: no assistant, no toolbar, no links to its maker's products. */
const configuration = {
  url: '/openapi.json',
  title: 'Parley API',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  showToolbar: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
} as const

/** The machine-readable contract, and a page to browse it and try it on. */
export async function registerReferenceRoutes(app: App, version: string): Promise<void> {
  const document = buildOpenApi(version)
  app.get('/openapi.json', async () => document)
  const socketDocument = buildAsyncApi(version)
  app.get('/asyncapi.json', async () => socketDocument)

  await app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', referencePolicy)
    })
    await scope.register(scalar, {
      routePrefix: '/docs',
      configuration,
    })
  })
}
