/** Messages between the engine and its worker threads. */

export type Order =
  | { readonly kind: 'job'; readonly id: number; readonly input: unknown }
  /** Start no further job, and end. */
  | { readonly kind: 'end' }

export type Report =
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'ready' }
  | { readonly kind: 'unavailable'; readonly message: string }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }
