import type { IncomingHttpHeaders } from 'node:http'

/** Headers with credentials of clients. They are never recorded. */
const keyHeaders = ['authorization', 'proxy-authorization', 'api-key', 'x-api-key', 'cookie'] as const

/** The format of providers' keys, to find unknown keys. */
const keyPattern = /\b(?:sk|ek|rk)[-_][A-Za-z0-9_-]{8,}/g

const mark = '[secret]'

/** Returns a function that replaces the secrets with `mark`, in all spellings that it knows. */
export type MakeConcealer = (secrets: Iterable<string>, mark: string) => (text: string) => string

/** Removes secrets from recorded text: the given ones, and every key that a request sends to the provider. */
export class Scrubber {
  readonly #secrets: Set<string>
  readonly #makeConcealer: MakeConcealer
  #conceal: ((text: string) => string) | null = null

  constructor(makeConcealer: MakeConcealer, secrets: readonly string[]) {
    this.#makeConcealer = makeConcealer
    this.#secrets = new Set(secrets.filter((secret) => secret !== ''))
  }

  /** Adds the key of a request to the secrets. */
  learn(headers: IncomingHttpHeaders): void {
    for (const name of keyHeaders) {
      const value = String(headers[name] ?? '')
      if (value === '' || this.#secrets.has(value)) continue
      this.#secrets.add(value)
      this.#conceal = null
    }
  }

  scrub(text: string): string {
    this.#conceal ??= this.#makeConcealer(this.#secrets, mark)
    return this.#conceal(text).replaceAll(keyPattern, mark)
  }
}
