/** What came of a piece of work that somebody else does. Callers branch on it, so it is a value. */
export type Outcome<Value> =
  | { readonly outcome: 'done'; readonly value: Value }
  /** The queue is full; the same work may be taken a moment later. */
  | { readonly outcome: 'overloaded' }
  /** Something that must be installed is not. */
  | { readonly outcome: 'unavailable'; readonly message: string }
  | { readonly outcome: 'failed'; readonly message: string }

export function done<Value>(value: Value): Outcome<Value> {
  return { outcome: 'done', value }
}
