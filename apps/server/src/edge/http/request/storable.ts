import type { FieldError } from '@parley/contract'
import { formatPath } from '../../../domain/field-path.js'

/** How deep a request may nest. */
export const maxDepth = 64
const shownDepth = 8

/**
 * Finds what no database could store or no parser should follow: NUL, half of a surrogate pair, endless nesting.
 * Looked for once, in whole requests, so that no single field can forget it. The way to a value is one list that grows
 * and shrinks: a request may hold half a million values, and everybody waits while they are looked at.
 */
export function findUnstorable(value: unknown): FieldError | null {
  const path: PropertyKey[] = []
  const message = mistakeIn(value, path)
  return message === null ? null : { path: formatPath(path.slice(0, shownDepth)), message }
}

/** What is wrong in a value; the path then leads to it. It goes no deeper than a request may. */
function mistakeIn(value: unknown, path: PropertyKey[]): string | null {
  if (path.length > maxDepth) return `is nested deeper than ${maxDepth} levels`
  if (typeof value === 'string') return textMistake(value)
  if (typeof value !== 'object' || value === null) return null
  return Array.isArray(value) ? mistakeInList(value, path) : mistakeInObject(value, path)
}

function mistakeInList(list: readonly unknown[], path: PropertyKey[]): string | null {
  for (let index = 0; index < list.length; index += 1) {
    path.push(index)
    const message = mistakeIn(list[index], path)
    if (message !== null) return message
    path.pop()
  }
  return null
}

function mistakeInObject(value: object, path: PropertyKey[]): string | null {
  for (const [name, inner] of Object.entries(value)) {
    path.push(name)
    const nameMistake = textMistake(name)
    const message = nameMistake === null ? mistakeIn(inner, path) : `has a name that ${nameMistake}`
    if (message !== null) return message
    path.pop()
  }
  return null
}

function textMistake(text: string): string | null {
  if (text.includes('\0')) return 'holds a NUL character'
  return text.isWellFormed() ? null : 'holds half of a surrogate pair'
}
