import { newTool, type ToolDraft } from './tool-draft'

export type ReadTool =
  | { readonly ok: true; readonly tool: ToolDraft }
  | { readonly ok: false; readonly message: string }

/** Returns the error of a value, or null. */
type Check = (value: unknown, path: string) => string | null

type Fields = Readonly<Record<string, unknown>>

/** Parses a tool from JSON: rejects unknown fields and wrong types, and fills in defaults. */
export function readTool(text: string): ReadTool {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { ok: false, message: `Invalid JSON: ${error instanceof Error ? error.message : error}` }
  }
  if (!isFields(value)) return { ok: false, message: 'A tool must be an object: { "kind": …, "name": … }' }
  const { kind } = value
  if (kind !== 'http' && kind !== 'mcp' && kind !== 'builtin')
    return { ok: false, message: 'kind must be http, mcp or builtin' }
  const tool = filledIn(newTool(kind), value)
  const message = checks[kind](tool, '')
  return isTool(tool, message) ? { ok: true, tool } : { ok: false, message: message ?? '' }
}

function isTool(_value: unknown, message: string | null): _value is ToolDraft {
  return message === null
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function filledIn(template: object, value: Fields): Fields {
  const filled = Object.entries(template).map(([name, standard]) => {
    const given = value[name]
    if (name === 'request' || name === 'server')
      return [name, isFields(given) ? { ...withoutAddress(standard), ...given } : (given ?? standard)]
    return [name, name === 'name' ? (given ?? '') : (given ?? standard)]
  })
  return { ...value, ...Object.fromEntries(filled) }
}

/** An MCP server has either a URL or a name. The absent one is omitted. */
function withoutAddress(standard: unknown): Fields {
  if (!isFields(standard)) return {}
  return 'name' in standard ? { ...standard, url: null } : standard
}

const be =
  (expected: string, isRight: (value: unknown) => boolean): Check =>
  (value, path) =>
    isRight(value) ? null : `${path} must be ${expected}`

const text = be('a string', (value) => typeof value === 'string')
const flag = be('true or false', (value) => typeof value === 'boolean')
const number = be('a number', (value) => typeof value === 'number')
const anything: Check = () => null

const orNull =
  (check: Check): Check =>
  (value, path) =>
    value === null ? null : check(value, path)

const optional =
  (check: Check): Check =>
  (value, path) =>
    value === undefined ? null : check(value, path)

const oneOf = (...values: readonly string[]) =>
  be(`one of ${values.join(', ')}`, (value) => values.some((each) => each === value))

const list = be(
  'a list of strings',
  (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
)

const record =
  (check: Check): Check =>
  (value, path) => {
    if (!isFields(value)) return `${path} must be an object`
    return firstOf(Object.entries(value).map(([name, each]) => check(each, `${path}.${name}`)))
  }

function shape(fields: Readonly<Record<string, Check>>): Check {
  return (value, path) => {
    if (!isFields(value)) return `${path} must be an object`
    const at = (name: string) => (path === '' ? name : `${path}.${name}`)
    const unknown = Object.keys(value).find((name) => fields[name] === undefined)
    if (unknown !== undefined) return `${at(unknown)} is not a field of this kind of tool`
    return firstOf(Object.entries(fields).map(([name, check]) => check(value[name], at(name))))
  }
}

const firstOf = (messages: readonly (string | null)[]) => messages.find((message) => message !== null) ?? null

const shared = {
  kind: text,
  name: text,
  title: orNull(text),
  imageUrl: orNull(text),
  approvalRequired: flag,
  approvedBy: oneOf('client', 'staff', 'either'),
  timeoutSeconds: number,
  button: orNull(shape({ label: text, link: text })),
}

const headers = { headerNames: list, headers: optional(record(orNull(text))) }

const parameters: Check = (value, path) => {
  if (!isFields(value) || value.type !== 'object') return `${path} must be a schema of type object`
  return optional(record(anything))(value.properties, `${path}.properties`)
}

const checks: Readonly<Record<ToolDraft['kind'], Check>> = {
  http: shape({
    ...shared,
    description: text,
    parameters,
    request: shape({
      method: oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
      url: text,
      query: record(text),
      body: anything,
      ...headers,
    }),
  }),
  mcp: shape({
    ...shared,
    description: orNull(text),
    allowedTools: orNull(list),
    destructiveApprovalRequired: flag,
    server: shape({ url: orNull(text), name: orNull(text), ...headers }),
  }),
  builtin: shape({
    ...shared,
    description: orNull(text),
    builtin: oneOf('current_time', 'create_task', 'search_files'),
  }),
}
