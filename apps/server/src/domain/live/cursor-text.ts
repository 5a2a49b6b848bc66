import type { ChangeCursor } from '../../ports/change-store.js'

/** More open transactions than that are not written down: the stream goes on from the first of them. */
const maxOpenTransactions = 20
/** What has changed in a longer time nobody wants to be told one by one. */
const maxAgeMicroseconds = 60 * 60 * 1_000_000

/** A cursor as callers keep it; they need not know what it means. */
export function cursorText({ microseconds, nextTransaction, openTransactions }: ChangeCursor): string {
  const [first = nextTransaction] = openTransactions
  if (openTransactions.length > maxOpenTransactions) return `${microseconds}-${first}`
  return [microseconds, nextTransaction, ...openTransactions].join('-')
}

/** The cursor that a caller gives back; null where it is none. */
export function cursorIn(text: string): ChangeCursor | null {
  if (text.length > 500 || !/^\d{1,16}-\d{1,16}(-\d{1,16}){0,20}$/.test(text)) return null
  const [microseconds = 0, nextTransaction = 0, ...openTransactions] = text.split('-').map(Number)
  return { microseconds, nextTransaction, openTransactions }
}

/** Whether what has changed since a cursor can be told: it is of this database, and not too old. */
export function canResume(cursor: ChangeCursor, present: ChangeCursor): boolean {
  const age = present.microseconds - cursor.microseconds
  return age >= 0 && age <= maxAgeMicroseconds && cursor.nextTransaction <= present.nextTransaction
}
