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

/** Keeps the statements that all recordings share. Background statements appear in only some of them. */
export function findReplay(recordings: readonly (readonly Statement[])[]): ReplayedRequest {
  const [first, second] = recordings
  if (first === undefined || second === undefined)
    throw new Error('What a request does shows in two of them.')
  const counted = recordings.map((recording) => countBy(recording.map(({ text }) => text)))
  const left = new Map(
    [...(counted[0] ?? [])].map(([text]) => [
      text,
      Math.min(...counted.map((count) => count.get(text) ?? 0)),
    ]),
  )
  const statements = first.filter(({ text }) => {
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count > 0
  })
  const others = new Set(second.flatMap(({ values }) => values))
  const fresh = statements
    .flatMap(({ values }) => values)
    .filter((value): value is string => value !== null && isMade(value) && !others.has(value))
  return { statements, fresh: [...new Set(fresh)] }
}

function countBy(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
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
