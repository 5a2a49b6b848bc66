import { headerValue } from './stateless-protocol.js'

/** An argument that the server wants to see in a header too, for whoever stands between. */
interface DeclaredHeader {
  readonly path: readonly string[]
  readonly header: string
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/
const maxDepth = 8
const maxHeaders = 50
const maxValueCharacters = 4096

/** The headers of a call: what the schema of the tool (`x-mcp-header`) wants of its arguments. */
export function parameterHeaders(
  schema: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const headers = declaredIn(schema, [])
    .slice(0, maxHeaders)
    .flatMap(({ path, header }) => {
      const text = textOf(valueAt(given, path))
      return text === null ? [] : [[`mcp-param-${header.toLowerCase()}`, headerValue(text)]]
    })
  return Object.fromEntries(headers)
}

function declaredIn(schema: unknown, path: readonly string[]): DeclaredHeader[] {
  if (!isObject(schema) || path.length > maxDepth) return []
  const header = schema['x-mcp-header']
  const own = typeof header === 'string' && token.test(header) && path.length > 0 ? [{ path, header }] : []
  const { properties } = schema
  if (!isObject(properties)) return own
  const inner = Object.entries(properties).flatMap(([name, each]) => declaredIn(each, [...path, name]))
  return [...own, ...inner]
}

function valueAt(given: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), given)
}

function textOf(value: unknown): string | null {
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' && value.length <= maxValueCharacters ? value : null
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
