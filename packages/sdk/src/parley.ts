import { ResourceGroups } from './generated/resource-groups.js'
import { ParleyError } from './parley-error.js'
import { type HeaderSource, HttpClient } from './rest/http-client.js'

/** Authentication of a backend with an API key. */
export interface KeyAccess {
  readonly organizationId: string
  /** Use it only in your backend. Anyone who has the key has its scopes. */
  readonly apiKey: string
}

/** Authentication of a page with a cookie. */
export interface CookieAccess {
  /** Whether cookies are sent: only to the page's own origin, or to any `baseUrl`. */
  readonly credentials: 'same-origin' | 'include'
  readonly organizationId?: string
}

export type ParleyOptions = ClientOptions & (KeyAccess | CookieAccess)

export interface ClientOptions {
  /** The address of the service, for example `https://parley.example.com`. Default in a page: its own origin. */
  readonly baseUrl?: string
  /** The time limit of one attempt. Default: 60 s. Questions: 10 minutes. */
  readonly timeoutMilliseconds?: number
  /** The maximum number of retries of a failed attempt, if a retry is safe. Default: 3. */
  readonly maxRetries?: number
  /** The pause before the first retry. It doubles with each retry. Default: 500 ms. */
  readonly backoffMilliseconds?: number
  /** The client does not wait for a longer `Retry-After`. Default: 60 s. */
  readonly maxRetryAfterSeconds?: number
  /** A stream that is silent for this long is resumed. Default: 45 s. */
  readonly streamIdleMilliseconds?: number
  /** Headers of every call, or a function that returns them for each attempt, for example a CSRF token. */
  readonly headers?: HeaderSource
  /** Replaces the runtime's `fetch`, for example to use a proxy. */
  readonly fetch?: typeof fetch
}

/**
 * Every call of the API: `parley.agents.create(…)`, `parley.questions.ask(…)`.
 *
 * The constructor sends nothing, and nothing has to be closed.
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
  if (!/^https?:\/\//.test(baseUrl)) throw new ParleyError(`baseUrl must be an HTTP address: ${baseUrl}`)
  return baseUrl.replace(/\/+$/, '')
}

/** Throws if an option is missing, which usually means that an environment variable is not set. */
function required(name: string, value: string): string {
  if (!value) throw new ParleyError(`${name} is required.`)
  return value
}
