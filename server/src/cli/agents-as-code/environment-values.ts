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

/**
 * Puts what the environment has into `${env:NAME}`, wherever a text of the document holds it; `$${env:` is a `${env:` that
 * means itself. What is missing is a mistake, and never an empty text: a key that was forgotten must not be cleared.
 */
export function fillIn(document: unknown, environment: Environment, mistakes: ValueMistake[]): unknown {
  const walk = (value: unknown, path: ValuePath): unknown => {
    if (typeof value === 'string') return fillText(value, path)
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, index]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, [...path, key])]))
  }
  const fillText = (text: string, path: ValuePath): string =>
    text.replaceAll(placeholder, (_, escaped: string | undefined, name = '') => {
      if (escaped !== undefined) return escaped
      const found = variableName.test(name) ? environment[name] : undefined
      if (found !== undefined && found !== '') return found
      const message = variableName.test(name)
        ? `needs the environment variable ${name}, which is not set. Set it and run again.`
        : `must name a variable as in \${env:NAME}: letters, digits and _.`
      mistakes.push({ path, message })
      return ''
    })
  return walk(document, [])
}

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
