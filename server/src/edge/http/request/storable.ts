import type { FieldError } from '@parley/contract'
import { formatPath } from '../../../domain/field-path.js'

const maxDepth = 64
const shownDepth = 8

/**
 * Finds what no database could store or no parser should follow: NUL, half of a surrogate pair, endless nesting.
 * Looked for once, in whole requests, so that no single field can forget it.
 */
export function findUnstorable(value: unknown): FieldError | null {
  const pending: Place[] = [{ value, path: [] }]
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const message = mistakeAt(place)
    if (message !== null) return { path: formatPath(place.path.slice(0, shownDepth)), message }
    // One by one: a long list has more items than a call can take arguments.
    for (const inner of placesIn(place)) pending.push(inner)
  }
  return null
}

interface Place {
  readonly value: unknown
  readonly path: readonly PropertyKey[]
}

function mistakeAt({ value, path }: Place): string | null {
  if (path.length > maxDepth) return `is nested deeper than ${maxDepth} levels`
  const name = path.at(-1)
  const nameMistake = typeof name === 'string' ? textMistake(name) : null
  if (nameMistake !== null) return `has a name that ${nameMistake}`
  return typeof value === 'string' ? textMistake(value) : null
}

function placesIn({ value, path }: Place): Place[] {
  if (Array.isArray(value)) return value.map((item, index) => ({ value: item, path: [...path, index] }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([name, inner]) => ({ value: inner, path: [...path, name] }))
}

function textMistake(text: string): string | null {
  if (text.includes('\0')) return 'holds a NUL character'
  return text.isWellFormed() ? null : 'holds half of a surrogate pair'
}
