import { parseUrl } from '@parley/contract'

/** Where a value stands in a document. */
export type ValuePath = readonly (string | number)[]

/** A value of a file that cannot be taken. */
export interface ValueMistake {
  readonly path: ValuePath
  readonly message: string
}

export type Environment = Readonly<Record<string, string | undefined>>

const placeholder = /\$(\$\{env:)|\$\{env:([^}]*)\}?/g
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Whether a text takes something out of the environment. */
export function namesVariable(text: string): boolean {
  return [...text.matchAll(placeholder)].some(([, escaped]) => escaped === undefined)
}

/** Text that must come out of a file as it goes in. */
export function escapeVariables(text: string): string {
  return text.replaceAll(`\${env:`, () => `$\${env:`)
}

/** The variables that files may use. */
export interface Variables {
  readonly environment: Environment
  /** Variables that may stand in any field: `--env NAME`. */
  readonly named: ReadonlySet<string>
  /** The key that the command works with. No file may use it, under any name. */
  readonly ownKey: string | null
}

/** A document with its variables filled in. */
export interface Filled {
  readonly content: unknown
  readonly mistakes: readonly ValueMistake[]
  /** Returns a text in which the values of variables stand as `${env:NAME}`. */
  conceal(text: string): string
}

/**
 * Fills in `${env:NAME}` wherever a text of the document holds it; `$${env:` is a `${env:` that means itself. A missing variable
 * is a mistake, and never an empty text: a key that was forgotten must not be cleared. Fields that can be read again, or that
 * messages quote, take only the variables that the command line names.
 */
export function fillIn(document: unknown, { environment, named, ownKey }: Variables): Filled {
  const mistakes: ValueMistake[] = []
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
      const refuse = (message: string) => {
        mistakes.push({ path, message })
        return ''
      }
      if (!variableName.test(name))
        return refuse(`must name a variable as in \${env:NAME}: letters, digits and _.`)
      const found = environment[name]
      if (name === 'KEY' || (ownKey !== null && found === ownKey))
        return refuse(`must not use \${env:${name}}: it is the API key that this command works with.`)
      if (!isSecretField(path) && !named.has(name))
        return refuse(
          `must not use \${env:${name}}: variables are for apiKey, baseUrl, url, headers and query. If ${name} is not secret, allow it with --env ${name}.`,
        )
      if (found === undefined || found === '')
        return refuse(`needs the environment variable ${name}, which is not set. Set it and run again.`)
      used.set(name, found)
      return found
    })
  const content = walk(document, [])
  return { content, mistakes, conceal: (text) => conceal(text, used) }
}

/** Whether a field holds an address or a secret of a connection, tool or webhook. Its place is exact: names are the file's choice. */
function isSecretField([kind, , ...place]: ValuePath): boolean {
  const [first, , part, field, ...deeper] = place
  if (kind === 'connections') return place.length === 1 && (first === 'apiKey' || first === 'baseUrl')
  if (kind === 'webhooks') return place.length === 1 && first === 'url'
  if (kind !== 'agents' || first !== 'tools' || (part !== 'request' && part !== 'server')) return false
  return field === 'headers' || field === 'query' || (field === 'url' && deeper.length === 0)
}

/** Shorter values would be found in ordinary words. */
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

/** How messages quote a value: as it is, encoded, or a part of it if it is an address. Letter case is compared loosely. */
function spellingsOf(value: string): readonly string[] {
  const url = parseUrl(value)
  const parts = url === null ? [] : [url.href, url.host, url.hostname, url.pathname, url.search.slice(1)]
  return [value, value.trim(), encodeURIComponent(value), ...parts]
}

const insensitive = (text: string) => new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi')

const secretWords =
  /authorization|api[-_]?key|token|secret|password|passwd|cookie|credential|signature|(^|[-_])key$/i

/** Whether a header or parameter of this name holds what must not stand in a file. */
export function soundsSecret(name: string): boolean {
  return secretWords.test(name)
}

/** Keys and header values that stand in the document as they are, where they belong into the environment. */
export function findPlainSecrets(document: unknown): ValueMistake[] {
  const found: ValueMistake[] = []
  const walk = (value: unknown, path: ValuePath): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, item] of Object.entries(value)) {
      const here = [...path, Array.isArray(value) ? Number(key) : key]
      const isSecret = key === 'apiKey' || (path.at(-1) === 'headers' && soundsSecret(key))
      if (isSecret && typeof item === 'string' && !namesVariable(item))
        found.push({
          path: here,
          message: `is a secret, and secrets do not belong into files: write \${env:NAME} and set NAME in the environment.`,
        })
      walk(item, here)
    }
  }
  walk(document, [])
  return found
}

/** A value as it may be shown: what a file takes out of the environment stands there by the name of its variable. */
export function concealed(value: unknown, written: unknown): unknown {
  if (typeof value === 'string')
    return typeof written === 'string' && namesVariable(written) ? written : value
  const partOf = (key: string) =>
    typeof written === 'object' && written !== null ? Reflect.get(written, key) : undefined
  if (Array.isArray(value)) return value.map((item, index) => concealed(item, partOf(String(index))))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, concealed(item, partOf(key))]))
}
