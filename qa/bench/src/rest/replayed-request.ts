import { randomBytes, randomUUID } from 'node:crypto'
import type { Statement } from '@parley/statement-recorder'

/** The statements of a request, and the values that were generated for it. */
export interface ReplayedRequest {
  readonly statements: readonly Statement[]
  /** Values that differ between requests and must be unique per row. */
  readonly fresh: readonly string[]
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const bytes = /^\\x[0-9a-f]{32,}$/
const token = /^[\w-]{20,}$/

/** Returns the statements that most recordings have. Background statements appear in only some of them. */
export function findReplay(recordings: readonly (readonly Statement[])[]): ReplayedRequest {
  const alike = new Map<string, (readonly Statement[])[]>()
  for (const recording of recordings) {
    const key = recording
      .map(({ text }) => text)
      .sort()
      .join('\n')
    alike.set(key, [...(alike.get(key) ?? []), recording])
  }
  const [[first, second] = []] = [...alike.values()].sort((a, b) => b.length - a.length)
  if (first === undefined || second === undefined)
    throw new Error('No two recordings of the request have the same statements.')
  const others = new Set(second.flatMap(({ values }) => values))
  const fresh = first
    .flatMap(({ values }) => values)
    .filter((value): value is string => value !== null && isMade(value) && !others.has(value))
  return { statements: first, fresh: [...new Set(fresh)] }
}

const isMade = (value: string) => uuid.test(value) || bytes.test(value) || token.test(value)

/** Returns the statements of one more such request with new values. */
export function freshStatements({ statements, fresh }: ReplayedRequest): readonly Statement[] {
  if (fresh.length === 0) return statements
  const made = new Map(fresh.map((value) => [value, valueLike(value)]))
  return statements.map(({ text, values }) => ({
    text,
    values: values.map((value) => (value === null ? null : (made.get(value) ?? value))),
  }))
}

function valueLike(value: string): string {
  if (uuid.test(value)) return randomUUID()
  if (bytes.test(value)) return `\\x${randomBytes((value.length - 2) / 2).toString('hex')}`
  return randomBytes(value.length).toString('base64url').slice(0, value.length)
}
