import { parseUrl } from '@parley/contract'

/** The path to a value in a document. */
export type ValuePath = readonly (string | number)[]

/** A value of a file that is rejected. */
export interface ValueError {
  readonly path: ValuePath
  readonly message: string
}

export type Environment = Readonly<Record<string, string | undefined>>

const placeholder = /\$(\$\{env:)|\$\{env:([^}]*)\}?/g
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Returns whether a text refers to an environment variable. */
export function namesVariable(text: string): boolean {
  return [...text.matchAll(placeholder)].some(([, escaped]) => escaped === undefined)
}

/** Escapes `${env:` so that a file keeps the text unchanged. */
export function escapeVariables(text: string): string {
  return text.replaceAll(`\${env:`, () => `$\${env:`)
}

/** The variables that files may use. */
export interface Variables {
  readonly environment: Environment
  /** Variables that any field may use: `--env NAME`. */
  readonly named: ReadonlySet<string>
  /** The API key that the command uses. No file may use its value, under any variable name. */
  readonly ownKey: string | null
}

/** A document with its variables filled in. */
export interface Filled {
  readonly content: unknown
  readonly errors: readonly ValueError[]
  /** Returns the text with the values of variables replaced by `${env:NAME}`. */
  conceal(text: string): string
}

/**
 * Replaces `${env:NAME}` in every text of the document. `$${env:` is an escaped `${env:`. A missing variable
 * is an error and not an empty text, because an empty text would clear a stored key. Fields that can be
 * read back or that messages quote take only the variables named on the command line.
 */
export function fillIn(document: unknown, { environment, named, ownKey }: Variables): Filled {
  const errors: ValueError[] = []
  const used = new Map<string, string>()
  const walk = (value: unknown, path: ValuePath): unknown => {
    if (typeof value === 'string') return fillText(value, path)
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, index]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, [...path, key])]))
  }
  const fillText = (text: string, path: ValuePath): string =>
    text.replaceAll(placeholder, (_, escaped: string | undefined, name = '') => {
      if (escaped !== undefined) return escaped
      const reject = (message: string) => {
        errors.push({ path, message })
        return ''
      }
      if (!variableName.test(name))
        return reject(`must name a variable as in \${env:NAME}: letters, digits and _.`)
      const found = environment[name]
      if (name === 'PARLEY_API_KEY' || name === 'KEY' || (ownKey !== null && found === ownKey))
        return reject(`must not use \${env:${name}}: it is the API key that this command works with.`)
      if (!isSecretField(path) && !named.has(name))
        return reject(
          `must not use \${env:${name}}: variables are for apiKey, secret, webhookSecret, baseUrl, url, headers and query. If ${name} is not secret, allow it with --env ${name}.`,
        )
      if (found === undefined || found === '')
        return reject(`needs the environment variable ${name}, which is not set. Set it and run again.`)
      used.set(name, found)
      return found
    })
  const content = walk(document, [])
  return { content, errors, conceal: (text) => conceal(text, used) }
}

/**
 * Returns whether a field holds a URL or a secret of a connection, phone connection, tool or webhook. Compares the exact
 * path, because the file chooses the names in it.
 */
function isSecretField([kind, , ...place]: ValuePath): boolean {
  const [first, , part, field, ...deeper] = place
  if (kind === 'connections') return place.length === 1 && (first === 'apiKey' || first === 'baseUrl')
  if (kind === 'phoneConnections')
    return place.length === 1 && (first === 'baseUrl' || isPhoneSecret(String(first)))
  if (kind === 'webhooks') return place.length === 1 && first === 'url'
  if (kind !== 'agents' || first !== 'tools' || (part !== 'request' && part !== 'server')) return false
  return field === 'headers' || field === 'query' || (field === 'url' && deeper.length === 0)
}

const isPhoneSecret = (field: string) => field === 'secret' || field === 'webhookSecret'

/** Shorter values would also match parts of ordinary words. */
const minConcealedLength = 4

function conceal(text: string, used: ReadonlyMap<string, string>): string {
  const spellings = [...used].flatMap(([name, value]) =>
    [...new Set(spellingsOf(value))]
      .filter((spelling) => spelling.length >= minConcealedLength)
      .map((spelling) => ({ spelling, written: `\${env:${name}}` })),
  )
  return spellings
    .sort((one, other) => other.spelling.length - one.spelling.length)
    .reduce((shown, { spelling, written }) => shown.replaceAll(insensitive(spelling), () => written), text)
}

/**
 * Returns the spellings in which messages quote a value: unchanged, encoded, and the parts of a URL.
 * Callers ignore the letter case.
 */
function spellingsOf(value: string): readonly string[] {
  const url = parseUrl(value)
  const parts = url === null ? [] : [url.href, url.host, url.hostname, url.pathname, url.search.slice(1)]
  return [value, value.trim(), encodeURIComponent(value), ...parts]
}

const insensitive = (text: string) => new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi')

const secretWords =
  /authorization|api[-_]?key|token|secret|password|passwd|cookie|credential|signature|(^|[-_])key$/i

/** Returns whether the name of a header or parameter suggests a secret. */
export function soundsSecret(name: string): boolean {
  return secretWords.test(name)
}

/**
 * Finds keys and header values that the document contains as plain text. They must come from the
 * environment.
 */
export function findPlainSecrets(document: unknown): ValueError[] {
  const found: ValueError[] = []
  const walk = (value: unknown, path: ValuePath): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, item] of Object.entries(value)) {
      const here = [...path, Array.isArray(value) ? Number(key) : key]
      const isOfPhone = path.length === 2 && path[0] === 'phoneConnections' && isPhoneSecret(key)
      const isSecret = key === 'apiKey' || isOfPhone || (path.at(-1) === 'headers' && soundsSecret(key))
      if (isSecret && typeof item === 'string' && !namesVariable(item))
        found.push({
          path: here,
          message: `must not contain a secret. Use \${env:NAME} and set NAME in the environment.`,
        })
      walk(item, here)
    }
  }
  walk(document, [])
  return found
}

/** Returns a value for display, with values from the environment replaced by the names of their variables. */
export function concealed(value: unknown, written: unknown): unknown {
  if (typeof value === 'string')
    return typeof written === 'string' && namesVariable(written) ? written : value
  const partOf = (key: string) =>
    typeof written === 'object' && written !== null ? Reflect.get(written, key) : undefined
  if (Array.isArray(value)) return value.map((item, index) => concealed(item, partOf(String(index))))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, concealed(item, partOf(key))]))
}
