import { isDeepStrictEqual } from 'node:util'
import { namesVariable, soundsSecret } from './environment-values.js'

/** A changed field of a resource. `undefined` means that the field is missing, before or after. */
export interface FieldChange {
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

/** Shown instead of values that are secret or come from the environment. */
export const hidden = '(not shown)'

interface Compared {
  readonly before: unknown
  readonly after: unknown
  /** `after` for display: variables by name, without their values. */
  readonly shown: unknown
}

/** Returns the fields that differ, as deep in the object as possible. Tools are matched by name. */
export function findChanges({ before, after, shown }: Compared, path = ''): FieldChange[] {
  if (isDeepStrictEqual(before, after)) return []
  const below = (key: string) => (path === '' ? key : `${path}.${key}`)
  if (isObject(before) && isObject(after))
    return keysOf(before, after).flatMap((key) =>
      findChanges({ before: before[key], after: after[key], shown: partOf(shown, key) }, below(key)),
    )
  const [had, has] = [byName(before), byName(after)]
  if (had !== null && has !== null) {
    const changes = keysOf(had, has).flatMap((name) =>
      findChanges({ before: had[name], after: has[name], shown: partOf(byName(shown), name) }, below(name)),
    )
    // No item differs, so only the order has changed.
    return changes.length > 0
      ? changes
      : [{ path: `${path} (order)`, before: Object.keys(had), after: Object.keys(has) }]
  }
  const isFromEnvironment = after !== undefined && !isDeepStrictEqual(after, shown)
  if (!isFromEnvironment) return [{ path, before, after }]
  return [{ path, ...(before !== undefined && { before: hidden }), after: shown }]
}

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the items of a list by their names, or null if an item has no name. */
function byName(value: unknown): Fields | null {
  if (!Array.isArray(value)) return null
  const named = value.flatMap((item) =>
    isObject(item) && typeof item.name === 'string' ? [[item.name, item] as const] : [],
  )
  return named.length === value.length ? Object.fromEntries(named) : null
}

function keysOf(one: Fields, other: Fields): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
}

function partOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined
}

/** Hides parameters of addresses whose names suggest a secret, both stored ones and those in files. */
export function withoutSecrets(change: FieldChange): FieldChange {
  const isParameter = /\.query\.[^.]+$/.test(change.path)
  const key = isParameter ? (change.path.split('.').at(-1) ?? '') : ''
  return {
    ...change,
    ...('before' in change && { before: concealSecrets(change.before, key) }),
    ...('after' in change && { after: concealSecrets(change.after, key) }),
  }
}

const parameter = /([?&]([^=&#\s]+)=)([^&#\s]+)/g

function concealSecrets(value: unknown, key: string, isQuery = key !== ''): unknown {
  if (typeof value === 'string') {
    if (namesVariable(value)) return value
    if (isQuery && soundsSecret(key)) return hidden
    return value.replaceAll(parameter, (all, head: string, name: string) =>
      soundsSecret(name) ? `${head}${hidden}` : all,
    )
  }
  if (Array.isArray(value)) return value.map((item) => concealSecrets(item, key, isQuery))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, concealSecrets(item, name, key === 'query')]),
  )
}
