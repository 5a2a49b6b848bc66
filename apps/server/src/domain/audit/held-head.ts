import type { AuditLogVerification, AuditLogVerifyQuery } from '@parley/contract'
import type { ChainPosition } from '../../ports/audit-store.js'
import { invalidRequest } from '../domain-error.js'

/** Returns the head that the caller sent, or null if the caller sent none. */
export function heldHeadOf({ Sequence, Hash = '' }: AuditLogVerifyQuery): ChainPosition | null {
  if (Sequence === undefined && Hash === '') return null
  if (Sequence === undefined)
    throw incomplete('Sequence', 'is required: a head consists of Sequence and Hash')
  if (Sequence > 0 && Hash === '')
    throw incomplete('Hash', 'is required: a head consists of Sequence and Hash')
  if (Sequence === 0 && Hash !== '')
    throw incomplete('Hash', 'must be omitted, because the head of an empty chain has no hash')
  return { sequence: Sequence, hash: Hash }
}

const incomplete = (path: string, message: string) => invalidRequest([{ path, message }])

/** Compares a head that the caller saved earlier with the chain during verification. */
export class HeldHead {
  readonly #held: ChainPosition | null
  #found: AuditLogVerification['heldHead'] = null

  constructor(held: ChainPosition | null) {
    this.#held = held
  }

  get found(): AuditLogVerification['heldHead'] {
    return this.#found
  }

  /** Called if verification starts after this position, because older records were removed. */
  beginBehind(place: ChainPosition): void {
    if (this.#held === null || this.#found !== null || this.#held.sequence > place.sequence) return
    if (this.#held.sequence === place.sequence) this.pass(place)
    else this.#found = 'removed'
  }

  /** Called when verification reaches this position. */
  pass(place: ChainPosition): void {
    if (this.#held?.sequence === place.sequence)
      this.#found = this.#held.hash === place.hash ? 'contained' : 'missing'
  }

  /**
   * Called at the end of verification. Returns the position and the reason if the chain does not contain the
   * head, otherwise null.
   */
  finish(end: ChainPosition): { readonly brokenSequence: number; readonly detail: string } | null {
    const held = this.#held
    if (held === null) return null
    if (this.#found === null) {
      this.#found = 'missing'
      return {
        brokenSequence: end.sequence + 1,
        detail: `The chain ends at record ${end.sequence}, before the given head (${held.sequence}). Its last records were removed.`,
      }
    }
    if (this.#found !== 'missing') return null
    return {
      brokenSequence: held.sequence,
      detail: `Record ${held.sequence} differs from the given head: the chain was rebuilt.`,
    }
  }
}
