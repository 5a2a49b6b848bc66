import { randomBytes } from 'node:crypto'
import type { Scope } from '@parley/sdk'

/** The address of the deployment, and the API key for the checks. */
export interface Access {
  /** Without a trailing slash. */
  readonly url: string
  readonly organizationId: string
  readonly apiKey: string
}

export interface RunOptions extends Access {
  /** The realtime provider of created agents. `null` means the built-in engine if there is one, otherwise the organization's default. */
  readonly connectionId: string | null
  /** Groups, or parts of titles. If empty, all checks run. */
  readonly only: readonly string[]
  readonly isWithoutModels: boolean
  /** The largest file and the largest session frame that the deployment accepts. */
  readonly fileBytes: number
  readonly frameBytes: number
  readonly maxSeconds: number
}

/** The scopes of a key, or the reason why they are unknown. */
export type HeldScopes =
  | { readonly ok: true; readonly scopes: ReadonlySet<Scope> }
  | { readonly ok: false; readonly reason: string }

/** One run: the state that all of its checks share. */
export class Run {
  readonly options: RunOptions
  /** The prefix of every name that the run creates. Only names with this prefix are removed. */
  readonly name = `parley-acceptance-${randomBytes(4).toString('hex')}`
  /** The scopes of the key, or the reason why they are unknown. The first calls determine them. */
  held: HeldScopes = { ok: false, reason: 'the scopes are not known yet' }
  readonly #kept = new Map<string, Promise<unknown>>()
  #requests = 0

  constructor(options: RunOptions) {
    this.options = options
  }

  /** Returns an id for the next request. The service logs it. */
  nextRequestId(): string {
    this.#requests += 1
    return `${this.name}-${this.#requests}`
  }

  /** Creates a value that several checks share, once. After a failure, the next check tries again. */
  once<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
    const kept = this.#kept.get(key)
    // Each name is only ever used with one type.
    if (kept !== undefined) return kept as Promise<Value>
    const made = make()
    this.#kept.set(key, made)
    made.catch(() => this.#kept.delete(key))
    return made
  }
}
