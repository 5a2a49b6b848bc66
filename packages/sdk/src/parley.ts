import { ResourceGroups } from './generated/resource-groups.js'
import { ParleyError } from './parley-error.js'
import { type HeaderSource, HttpClient } from './rest/http-client.js'

/** A backend, which has a key. */
export interface KeyAccess {
  readonly organizationId: string
  /** From your backend alone: whoever has it can do what it may. */
  readonly apiKey: string
}

/** A page, whose browser has a cookie. */
export interface CookieAccess {
  /** Where cookies are sent along: to the page's own origin, or to whichever `baseUrl` names. */
  readonly credentials: 'same-origin' | 'include'
  readonly organizationId?: string
}

export type ParleyOptions = ClientOptions & (KeyAccess | CookieAccess)

export interface ClientOptions {
  /** Where the service is, for example `https://parley.example.com`; in a page its own origin where left out. */
  readonly baseUrl?: string
  /** How long one attempt may take; 60 s. A question is waited for 10 minutes, unless you say otherwise with it. */
  readonly timeoutMilliseconds?: number
  /** How often a failed attempt is repeated, where that is safe; 3. */
  readonly maxRetries?: number
  /** The pause before the first repetition, which doubles with each; 500 ms. */
  readonly backoffMilliseconds?: number
  /** A `Retry-After` above this is not waited for; 60 s. */
  readonly maxRetryAfterSeconds?: number
  /** How long a stream may be silent before it is taken up anew; 45 s. */
  readonly streamIdleMilliseconds?: number
  /** Headers on every call, or what returns them for each attempt: a token against forged requests, for example. */
  readonly headers?: HeaderSource
  /** Another `fetch` than the runtime's: with a proxy, for example. */
  readonly fetch?: typeof fetch
}

/**
 * Every call of the API: `parley.agents.create(…)`, `parley.questions.ask(…)`.
 *
 * Nothing is sent before the first call, and nothing has to be closed.
 */
export class Parley extends ResourceGroups {
  constructor(options: ParleyOptions) {
    super(
      new HttpClient({
        baseUrl: addressOf(options.baseUrl),
        accessHeaders: accessHeadersOf(options),
        headers: options.headers ?? {},
        credentials: 'credentials' in options ? options.credentials : undefined,
        fetch: options.fetch ?? ((input, init) => fetch(input, init)),
        hasOwnFetch: options.fetch !== undefined,
        timeoutMilliseconds: options.timeoutMilliseconds ?? 60_000,
        longTimeoutMilliseconds: options.timeoutMilliseconds ?? 600_000,
        maxRetries: options.maxRetries ?? 3,
        backoffMilliseconds: options.backoffMilliseconds ?? 500,
        maxRetryAfterSeconds: options.maxRetryAfterSeconds ?? 60,
        streamIdleMilliseconds: options.streamIdleMilliseconds ?? 45_000,
      }),
    )
  }
}

function accessHeadersOf(options: KeyAccess | CookieAccess): Record<string, string> {
  if (!('credentials' in options))
    return {
      'x-api-key': required('apiKey', options.apiKey),
      'x-org-id': required('organizationId', options.organizationId),
    }
  const { organizationId } = options
  return organizationId === undefined ? {} : { 'x-org-id': organizationId }
}

function addressOf(baseUrl = globalThis.location?.origin): string {
  if (!/^https?:\/\//.test(baseUrl)) throw new ParleyError(`baseUrl is no http address: ${baseUrl}`)
  return baseUrl.replace(/\/+$/, '')
}

/** Often read from an environment that has none. */
function required(name: string, value: string): string {
  if (!value) throw new ParleyError(`${name} is missing.`)
  return value
}
