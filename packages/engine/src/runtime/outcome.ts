/** The outcome of a job in a worker or a remote service. It is a value, because callers branch on it. */
export type Outcome<Value, Failed extends Failure = Failure> =
  | { readonly ok: true; readonly value: Value }
  | Failed

export type Failure =
  | ServiceFailure
  /** A required package is not installed. */
  | { readonly ok: false; readonly kind: 'unavailable'; readonly message: string }

/** The ways in which a remote service can fail. */
export type ServiceFailure =
  /** The queue is full. The same job may be accepted shortly afterwards. */
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
