import { readFile } from 'node:fs/promises'
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
  url: '/docs/reference.json',
  title: 'Parley API',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
} as const

const changelog = new URL('../../../../../CHANGELOG.md', import.meta.url)

/** The machine-readable contract, and a page to browse it and try it on. */
export async function registerReferenceRoutes(app: App, version: string): Promise<void> {
  const document = buildOpenApi(version)
  app.get('/openapi.json', async () => document)
  const socketDocument = buildAsyncApi(version)
  app.get('/asyncapi.json', async () => socketDocument)

  const description = `${document.info.description}\n\n${await readWhatsNew()}`
  const reference = { ...document, info: { ...document.info, description } }
  app.get('/docs/reference.json', async () => reference)

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

/** What's New as part of a page: its links lead to files that are not served here. An installation may come without it. */
async function readWhatsNew(): Promise<string> {
  const text = await readFile(changelog, 'utf8').catch(() => '')
  return text.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1')
}
