import { type Call, callEntryId, type Entry } from './entry'
import type { Timing } from './timing'

/** The immutable state of a conversation's view. */
export interface Thread {
  readonly entries: readonly Entry[]
  /** Timings by the id of the answer. */
  readonly timings: Readonly<Record<string, Timing>>
  readonly current: Timing | null
}

export const emptyThread: Thread = { entries: [], timings: {}, current: null }

/** Replaces a known entry, or appends a new one. */
export function putEntry(thread: Thread, entry: Entry): Thread {
  const index = thread.entries.findLastIndex(({ id }) => id === entry.id)
  const entries = index < 0 ? [...thread.entries, entry] : thread.entries.with(index, entry)
  return { ...thread, entries }
}

/** A typed message gets its stored id. */
export function replaceEntry(thread: Thread, id: string, entry: Entry): Thread {
  const others = thread.entries.filter((known) => known.id !== entry.id || known.id === id)
  const index = others.findLastIndex((known) => known.id === id)
  return { ...thread, entries: index < 0 ? [...others, entry] : others.with(index, entry) }
}

export function removeEntry(thread: Thread, id: string): Thread {
  return { ...thread, entries: thread.entries.filter((entry) => entry.id !== id) }
}

/** Marks a message as complete. */
export function finishMessage(thread: Thread, id: string): Thread {
  const message = thread.entries.findLast((entry) => entry.id === id)
  return message?.kind === 'message' ? putEntry(thread, { ...message, isFinal: true }) : thread
}

export function findCall(thread: Thread, callId: string): Call | null {
  const found = thread.entries.findLast(({ id }) => id === callEntryId(callId))
  return found?.kind === 'call' ? found : null
}

export function editCall(thread: Thread, callId: string, fields: Partial<Call>): Thread {
  const call = findCall(thread, callId)
  return call === null ? thread : putEntry(thread, { ...call, ...fields })
}

/** Inserts stored messages before those of this page. */
export function putStored(thread: Thread, stored: readonly Entry[]): Thread {
  const known = new Set(thread.entries.map(({ id }) => id))
  return { ...thread, entries: [...stored.filter(({ id }) => !known.has(id)), ...thread.entries] }
}

/** Merges the outcomes of calls. A call shown as running may have ended without an event. */
export function refreshCalls(thread: Thread, stored: readonly Entry[]): Thread {
  let next = thread
  for (const entry of stored) {
    if (entry.kind !== 'call') continue
    const known = findCall(thread, entry.callId)
    if (known === null) continue
    const isNews = entry.status === 'done' || entry.status === 'failed'
    next = putEntry(next, {
      ...known,
      argumentsText: known.argumentsText === '' ? entry.argumentsText : known.argumentsText,
      ...(isNews && {
        status: entry.status,
        result: known.result ?? entry.result,
        seconds: known.seconds ?? entry.seconds,
        deadline: null,
      }),
    })
  }
  return next
}
