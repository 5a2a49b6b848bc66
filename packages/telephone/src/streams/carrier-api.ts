import type { CarrierFetch } from './carrier.js'
import { parseJson } from './json-field.js'

/** The reason why a carrier rejected or failed a request. */
export type CarrierErrorCode =
  | 'unauthorized'
  | 'rejected'
  | 'not_found'
  | 'rate_limited'
  | 'unavailable'
  | 'invalid_response'

export interface CarrierErrorDetails {
  readonly code: CarrierErrorCode
  /** The field of our request that the carrier rejected. */
  readonly field?: string | null
  readonly status?: number | null
  /** True if the carrier may have acted. A call must not be dialled again then. */
  readonly isOutcomeUnknown?: boolean
}

/** Messages name the field and the carrier's own code. They contain no secrets. */
export class CarrierError extends Error {
  readonly code: CarrierErrorCode
  readonly field: string | null
  readonly status: number | null
  readonly isOutcomeUnknown: boolean

  constructor(message: string, { code, field, status, isOutcomeUnknown }: CarrierErrorDetails) {
    super(message)
    this.name = 'CarrierError'
    this.code = code
    this.field = field ?? null
    this.status = status ?? null
    this.isOutcomeUnknown = isOutcomeUnknown ?? false
  }
}

/** The error that a carrier describes in a response body. */
export interface CarrierComplaint {
  readonly text: string
  readonly code?: string | null
  readonly field?: string | null
}

export interface CarrierApiOptions {
  /** Named in messages. */
  readonly carrier: string
  readonly baseUrl: string
  readonly fetch: CarrierFetch
  /** Returns the headers that authenticate a request. */
  readonly authorize: () => Readonly<Record<string, string>>
  /** Removed from messages. */
  readonly secrets: readonly string[]
  /** Returns the complaint in a parsed error body, or null if it has another form. */
  readonly readComplaint: (body: unknown) => CarrierComplaint | null
  readonly timeoutMilliseconds?: number
}

type Response = Awaited<ReturnType<CarrierFetch>>

export interface ApiRequest {
  readonly method: 'POST' | 'PUT' | 'DELETE' | 'GET'
  readonly path: string
  readonly form?: URLSearchParams
  readonly json?: unknown
}

const defaultTimeoutMilliseconds = 10_000
const maxResponseBytes = 65_536
const maxMessageLength = 300

/** Sends requests to a carrier's REST API. Never repeats one: a second dial request is a second call. */
export class CarrierApi {
  readonly #options: CarrierApiOptions

  constructor(options: CarrierApiOptions) {
    this.#options = options
  }

  /** Returns the parsed response, or null if it has no body. Throws `CarrierError`. */
  async send(request: ApiRequest): Promise<unknown> {
    const response = await this.#fetch(request)
    const text = await this.#readText(response)
    const body = parseJson(text)
    if (response.status < 200 || response.status > 299) throw this.#refusal(response.status, body)
    if (text !== '' && body === undefined) {
      throw this.#error('sent a response that is not JSON.', {
        code: 'invalid_response',
        status: response.status,
        isOutcomeUnknown: true,
      })
    }
    return body ?? null
  }

  /** Returns the error for a response without a field that the carrier documents. */
  missing(field: string): CarrierError {
    return this.#error(`sent a response without \`${field}\`.`, {
      code: 'invalid_response',
      isOutcomeUnknown: true,
    })
  }

  async #fetch({ method, path, form, json }: ApiRequest): Promise<Response> {
    const { baseUrl, authorize, fetch, timeoutMilliseconds = defaultTimeoutMilliseconds } = this.#options
    const content = form
      ? { type: 'application/x-www-form-urlencoded', body: form.toString() }
      : json === undefined
        ? null
        : { type: 'application/json', body: JSON.stringify(json) }
    try {
      return await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          accept: 'application/json',
          ...authorize(),
          ...(content && { 'content-type': content.type }),
        },
        ...(content && { body: content.body }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMilliseconds),
      })
    } catch (error) {
      throw this.#unavailable(error)
    }
  }

  async #readText(response: Response): Promise<string> {
    const parts: Uint8Array[] = []
    let size = 0
    try {
      for await (const part of response.body ?? []) {
        size += part.length
        if (size > maxResponseBytes) {
          throw this.#error('sent a response that is too large.', {
            code: 'invalid_response',
            status: response.status,
            isOutcomeUnknown: true,
          })
        }
        parts.push(part)
      }
    } catch (error) {
      throw error instanceof CarrierError ? error : this.#unavailable(error)
    }
    return Buffer.concat(parts).toString('utf8')
  }

  #refusal(status: number, body: unknown): CarrierError {
    const complaint = body === undefined ? null : this.#options.readComplaint(body)
    const field = complaint?.field ?? null
    const origin = complaint?.code ? `HTTP ${status}, code ${complaint.code}` : `HTTP ${status}`
    const text = complaint ? ` ${complaint.text}` : ''
    return this.#error(`${field ? `rejected \`${field}\`` : describe(status)} (${origin}).${text}`, {
      code: codeOf(status),
      field,
      status,
      // The request was received, but its effect is not known.
      isOutcomeUnknown: status >= 500,
    })
  }

  #unavailable(error: unknown): CarrierError {
    if (error instanceof RequestNotSent)
      return this.#error(`could not be reached. ${error.message}`, { code: 'unavailable' })
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    return this.#error(isTimeout ? 'did not respond in time.' : 'could not be reached.', {
      code: 'unavailable',
      isOutcomeUnknown: true,
    })
  }

  #error(text: string, details: CarrierErrorDetails): CarrierError {
    const { carrier, secrets } = this.#options
    let message = `${carrier} ${text}`
    for (const secret of secrets) {
      if (secret !== '') message = message.replaceAll(secret, '[hidden]')
    }
    return new CarrierError(
      message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message,
      details,
    )
  }
}

/** `fetch` rejects with this if nothing of the request was sent, so that it had no effect. */
export class RequestNotSent extends Error {}

function codeOf(status: number): CarrierErrorCode {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'unavailable' : 'rejected'
}

function describe(status: number): string {
  const code = codeOf(status)
  if (code === 'unauthorized') return 'rejected the credentials'
  if (code === 'not_found') return 'does not know the call or account'
  if (code === 'rate_limited') return 'allows no more requests now'
  return code === 'unavailable' ? 'failed' : 'rejected the request'
}
