import { posix } from 'node:path'
import { type SourceFile, withoutComments } from './source-files.js'

/** Where code stands, and what it may import of ours. A folder may always import from itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  ports: ['contract'],
  domain: ['contract', 'ports'],
  'edge/http': ['contract', 'ports', 'domain', 'edge/*'],
  'edge/ws': ['contract', 'ports', 'domain', 'edge/*'],
  'edge/terminal': ['contract', 'ports', 'domain', 'edge/*', 'config'],
  config: ['contract'],
  version: [],
  // Where adapters meet domain and edge, and what runs them.
  compose: ['*'],
  'compose-files': ['*'],
  'compose-models': ['*'],
  'compose-questions': ['*'],
  'compose-tools': ['*'],
  'background-work': ['*'],
  main: ['*'],
  workers: ['*'],
}

/** Adapters know ports and their own technology. Those that are built upon another one say so here. */
const adapterUses: Readonly<Record<string, readonly string[]>> = {
  'adapters/openai-realtime': ['adapters/outbound', 'adapters/websocket'],
  'adapters/embedded-engine': ['adapters/openai-realtime'],
  'adapters/http-tools': ['adapters/tool-output'],
  'adapters/mcp-tools': ['adapters/outbound', 'adapters/tool-output'],
}

/** What the domain and its ports must not know of. */
const technologies = ['fastify', 'pg', 'drizzle-orm', 'ioredis', 'undici', 'ws', 'pino', 'prom-client']

export interface Package {
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Every import that points the wrong way, or at a package that its workspace does not declare. */
export function findWrongImports(
  files: readonly SourceFile[],
  packages: Readonly<Record<string, Package>>,
): string[] {
  return files.flatMap(({ path, text }) =>
    importsIn(text).flatMap((specifier) => {
      const mistake = specifier.startsWith('.')
        ? wrongArrow(path, posix.join(posix.dirname(path), specifier))
        : wrongPackage(path, specifier, packages)
      return mistake === null ? [] : [`${path}: ${specifier} ${mistake}`]
    }),
  )
}

/** What a file imports: statically, for types alone, on demand, by exporting it again, or as a worker's file. */
export function importsIn(text: string): string[] {
  const forms = [
    /\b(?:import|export)\b[^'"`;()]*?\bfrom\s*['"]([^'"]+)['"]/g,
    /\bimport\s*['"]([^'"]+)['"]/g,
    /\b(?:import|require)\s*\(\s*['"`]([^'"`]+)['"`]/g,
    /\bnew URL\(\s*['"`](\.[^'"`]+\.js)['"`]\s*,\s*import\.meta\.url/g,
  ]
  const code = withoutComments(text)
  return forms.flatMap((form) => [...code.matchAll(form)].map((match) => match[1] ?? ''))
}

function wrongArrow(from: string, to: string): string | null {
  const [here, there] = [partOf(from), partOf(to)]
  if (here === there) return null
  const allowed = here.startsWith('adapters/')
    ? ['contract', 'ports', ...(adapterUses[here] ?? [])]
    : (mayImport[here] ?? [])
  const isAllowed = allowed.some(
    (part) => part === '*' || part === there || (part.endsWith('/*') && there.startsWith(part.slice(0, -1))),
  )
  return isAllowed ? null : `leads from ${here} to ${there}`
}

/** `server/src/edge/http/routes/task.ts` stands in `edge/http`, `server/src/config/parser.ts` in `config`. */
function partOf(path: string): string {
  if (path.startsWith('contract/src/')) return 'contract'
  const [folder = '', inner] = path.replace(/^server\/src\//, '').split('/')
  const isSplit = folder === 'edge' || folder === 'adapters'
  return isSplit && inner !== undefined ? `${folder}/${inner}` : folder.replace(/\.(?:ts|js)$/, '')
}

function wrongPackage(
  path: string,
  specifier: string,
  packages: Readonly<Record<string, Package>>,
): string | null {
  if (specifier.startsWith('node:')) return null
  if (specifier.startsWith('#')) return 'is for tests'
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  const workspace = path.split('/', 1)[0] ?? ''
  if (packages[workspace]?.dependencies?.[name] === undefined)
    return `is not among the dependencies of ${workspace}`
  const part = partOf(path)
  const isInside = part === 'domain' || part === 'ports'
  return isInside && technologies.includes(name) ? `is a technology, and ${part} knows none` : null
}
