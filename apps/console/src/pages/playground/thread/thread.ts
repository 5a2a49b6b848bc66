import { type Call, callEntryId, type Entry } from './entry'
import type { Timing } from './timing'

/** Everything that is shown of a conversation, as one value that never changes. */
export interface Thread {
  readonly entries: readonly Entry[]
  /** How long each answer took, by the id of the answer. */
  readonly timings: Readonly<Record<string, Timing>>
  /** The exchange that is going on. */
  readonly current: Timing | null
}

export const emptyThread: Thread = { entries: [], timings: {}, current: null }

/** In its place where it is known already, else at the end. */
export function putEntry(thread: Thread, entry: Entry): Thread {
  const place = thread.entries.findLastIndex(({ id }) => id === entry.id)
  const entries = place < 0 ? [...thread.entries, entry] : thread.entries.with(place, entry)
  return { ...thread, entries }
}

/** What was typed gets the id it is stored under. */
export function replaceEntry(thread: Thread, id: string, entry: Entry): Thread {
  const others = thread.entries.filter((known) => known.id !== entry.id || known.id === id)
  const place = others.findLastIndex((known) => known.id === id)
  return { ...thread, entries: place < 0 ? [...others, entry] : others.with(place, entry) }
}

export function removeEntry(thread: Thread, id: string): Thread {
  return { ...thread, entries: thread.entries.filter((entry) => entry.id !== id) }
}

/** Nothing more comes to these words. */
export function finishWords(thread: Thread, id: string): Thread {
  const words = thread.entries.findLast((entry) => entry.id === id)
  return words?.kind === 'words' ? putEntry(thread, { ...words, isFinal: true }) : thread
}

export function findCall(thread: Thread, callId: string): Call | null {
  const found = thread.entries.findLast(({ id }) => id === callEntryId(callId))
  return found?.kind === 'call' ? found : null
}

export function editCall(thread: Thread, callId: string, fields: Partial<Call>): Thread {
  const call = findCall(thread, callId)
  return call === null ? thread : putEntry(thread, { ...call, ...fields })
}

/** What is stored, before everything that has happened in this page. */
export function putStored(thread: Thread, stored: readonly Entry[]): Thread {
  const known = new Set(thread.entries.map(({ id }) => id))
  return { ...thread, entries: [...stored.filter(({ id }) => !known.has(id)), ...thread.entries] }
}

/** What became of calls since they were last heard of. What is shown as running may have ended without a word. */
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
