import { randomBytes } from 'node:crypto'
import type { Scope } from '@parley/sdk'

/** Where the deployment is, and whose key it is looked at with. */
export interface Access {
  /** Without a slash at its end. */
  readonly url: string
  readonly organizationId: string
  readonly apiKey: string
}

export interface RunOptions extends Access {
  /** Of the agents that are made; null: the built-in engine's where there is one, else the organization's default. */
  readonly connectionId: string | null
  /** Groups, or parts of titles; empty: all. */
  readonly only: readonly string[]
  readonly isWithoutModels: boolean
  /** How large a file, and a frame of a session, the deployment takes. */
  readonly fileBytes: number
  readonly frameBytes: number
  readonly maxSeconds: number
}

/** What a key may do; or why that is not known. */
export type HeldScopes =
  | { readonly ok: true; readonly scopes: ReadonlySet<Scope> }
  | { readonly ok: false; readonly reason: string }

/** One run: what all of its checks share. */
export class Run {
  readonly options: RunOptions
  /** Every name that the run gives begins with it, and nothing else is removed. */
  readonly name = `parley-acceptance-${randomBytes(4).toString('hex')}`
  /** What the key may do, or why that is not known; found out by the first calls. */
  held: HeldScopes = { ok: false, reason: 'nobody has asked yet' }
  readonly #kept = new Map<string, Promise<unknown>>()
  #requests = 0

  constructor(options: RunOptions) {
    this.options = options
  }

  /** An id for the next request, by which it is found in the service's log. */
  nextRequestId(): string {
    this.#requests += 1
    return `${this.name}-${this.#requests}`
  }

  /** Makes something that several checks use, once; what failed is tried again by the next. */
  once<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
    const kept = this.#kept.get(key)
    // Whoever made it under this name made it of this kind.
    if (kept !== undefined) return kept as Promise<Value>
    const made = make()
    this.#kept.set(key, made)
    made.catch(() => this.#kept.delete(key))
    return made
  }
}
