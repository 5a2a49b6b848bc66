import { readFile } from 'node:fs/promises'
import { agentsFileSchemaPath, agentTestsFileSchemaPath } from '@parley/contract'
import { z } from 'zod'
import { makeBuiltFile, sendBuiltFile } from '../answer/built-file.js'
import type { App } from '../services.js'
import { type Chapter, referenceDocument, signedIn } from './reference-document.js'

/**
 * The content security policy. The page of the reference only runs scripts of this service and only connects
 * to it.
 */
const referencePolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"

/** Configures the page without an assistant, a toolbar and links to other products. */
const configuration = {
  url: '/docs/reference.json',
  title: 'Parley API',
  withDefaultFonts: false,
  telemetry: false,
  // The operations show them in place. Listing all of them again takes a second.
  hideModels: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
} as const

/**
 * Starts the page. A signed-in person tries calls with the session, in the organization that the console shows.
 * Everyone else enters a key.
 */
const script = `
(async () => {
  const read = async (path) => (await fetch(path)).json()
  const authentication = { preferredSecurityScheme: ['ApiKey', 'OrganizationId'] }
  const { isSignedIn } = await read('/api/v1/SignIn').catch(() => ({}))
  const { organizations = [] } = isSignedIn ? await read('/api/v1/Me').catch(() => ({})) : {}
  const chosen = localStorage.getItem('parley.organization')
  const organization = organizations.find(({ id }) => id === chosen) ?? organizations[0]
  if (organization !== undefined) {
    authentication.preferredSecurityScheme = '${signedIn}'
    authentication.securitySchemes = { ${signedIn}: { value: organization.id } }
  }
  Scalar.createApiReference('#app', { ...${JSON.stringify(configuration)}, authentication })
})()`

const page = `<!doctype html>
<html lang="en">
  <head>
    <title>Parley API</title>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="preload" href="/docs/reference.json" as="fetch" crossorigin="anonymous" />
  </head>
  <body>
    <div id="app"><h1>Parley API</h1></div>
    <noscript>
      <p>The reference needs JavaScript. These pages work without it:</p>
      <ul>
        <li><a href="/openapi.json">OpenAPI contract</a></li>
        <li><a href="/asyncapi.json">AsyncAPI contract of the WebSocket</a></li>
        <li><a href="/start">Start page with the first calls</a></li>
      </ul>
      <p>Find the guides in the folder <code>docs</code> of the service.</p>
    </noscript>
    <script src="js/scalar.js"></script>
    <script>${script}</script>
  </body>
</html>
`

const changelog = new URL('../../../../../../CHANGELOG.md', import.meta.url)

const Document = z.looseObject({ info: z.looseObject({ description: z.string() }) })

/**
 * Registers the machine-readable contract and a page to browse and try it. The contract is a generated file,
 * so that it need not be built at every start. A test keeps it in sync with the code. Only the script of the
 * page's package is used, because its plugin would load parsers for YAML and OpenAPI.
 */
export async function registerReferenceRoutes(app: App, version: string): Promise<void> {
  const readDocument = once(() => readContract('@parley/contract/openapi.json', version))
  app.get('/openapi.json', readDocument)
  app.get(
    '/asyncapi.json',
    once(() => readContract('@parley/contract/asyncapi.json', version)),
  )
  app.get(
    agentsFileSchemaPath,
    once(() => readJson('@parley/contract/agents-file.schema.json')),
  )
  app.get(
    agentTestsFileSchemaPath,
    once(() => readJson('@parley/contract/agent-tests-file.schema.json')),
  )
  app.get(
    '/docs/reference.json',
    once(async () => referenceDocument(await readDocument(), await readChangelog())),
  )

  const readScript = once(async () => {
    const file = new URL('./js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference'))
    return makeBuiltFile('scalar.js', await readFile(file))
  })
  await app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', referencePolicy)
    })
    scope.get('/docs', (_request, reply) => reply.redirect('/docs/', 301))
    scope.get('/docs/', (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
    scope.get('/docs/js/scalar.js', async (request, reply) => {
      reply.header('cache-control', 'public, max-age=3600')
      return sendBuiltFile(request, reply, await readScript())
    })
  })
}

/**
 * Reads on first use and caches the result, because most services never need it. Tries again after an error.
 */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined
  return () => {
    reading ??= read().catch((error) => {
      reading = undefined
      throw error
    })
    return reading
  }
}

type Contract = z.output<typeof Document>

async function readContract(name: string, version: string): Promise<Contract> {
  const document = Document.parse(await readJson(name))
  return { ...document, info: { ...document.info, version } }
}

async function readJson(name: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(import.meta.resolve(name)), 'utf8'))
}

/**
 * Returns the changelog for the page, without links to files that are not served here. It may be missing in
 * an installation.
 */
async function readChangelog(): Promise<Chapter | null> {
  const text = await readFile(changelog, 'utf8').catch(() => null)
  if (text === null) return null
  const description = text
    .replace(/^# .*\n/, '')
    .replaceAll(/\s*\(\[[^\]]+\]\((?!https?:)[^)]*\)\)/g, '')
    .replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1')
  return { name: "What's New", description: description.trim() }
}
