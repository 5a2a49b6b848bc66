/** What came of a piece of work that somebody else does. Callers branch on it, so it is a value. */
export type Outcome<Value, Failed extends Failure = Failure> =
  | { readonly ok: true; readonly value: Value }
  | Failed

export type Failure =
  | ServiceFailure
  /** Something that must be installed is not. */
  | { readonly ok: false; readonly kind: 'unavailable'; readonly message: string }

/** How a service elsewhere can fail. */
export type ServiceFailure =
  /** There is too much to do; the same work may be taken a moment later. */
  | { readonly ok: false; readonly kind: 'overloaded' }
  | { readonly ok: false; readonly kind: 'failed'; readonly message: string }

export const overloaded = { ok: false, kind: 'overloaded' } as const satisfies ServiceFailure

export function done<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value }
}

export function failed(message: string): ServiceFailure {
  return { ok: false, kind: 'failed', message }
}

export function unavailable(message: string): Failure {
  return { ok: false, kind: 'unavailable', message }
}
