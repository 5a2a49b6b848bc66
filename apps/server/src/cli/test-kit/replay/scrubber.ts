import type { IncomingHttpHeaders } from 'node:http'
import { type Concealer, concealerOf } from '../../../adapters/foreign-text/conceal-secrets.js'

/** The headers by which clients of providers show who they are. None of them is ever written. */
const keyHeaders = ['authorization', 'proxy-authorization', 'api-key', 'x-api-key', 'cookie'] as const

/** What providers' keys look like, also those that nobody has named. */
const keyPattern = /\b(?:sk|ek|rk)[-_][A-Za-z0-9_-]{8,}/g

const mark = '[secret]'

/** Takes secrets out of whatever is written: those that were named, and every key that was shown to the recorder. */
export class Scrubber {
  readonly #secrets: Set<string>
  #conceal: Concealer | null = null

  constructor(secrets: readonly string[]) {
    this.#secrets = new Set(secrets.filter((secret) => secret !== ''))
  }

  /** A request shows its key: from now on it is one of the secrets. */
  learn(headers: IncomingHttpHeaders): void {
    for (const name of keyHeaders) {
      const value = String(headers[name] ?? '')
      if (value === '' || this.#secrets.has(value)) continue
      this.#secrets.add(value)
      this.#conceal = null
    }
  }

  scrub(text: string): string {
    this.#conceal ??= concealerOf(this.#secrets, mark)
    return this.#conceal(text).replaceAll(keyPattern, mark)
  }
}
