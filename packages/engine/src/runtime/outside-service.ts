import { done, failed, type Outcome, overloaded, type ServiceFailure } from './outcome.js'

/** A local or remote service with the provider's HTTP API. */
export interface OutsideService {
  /** The URL up to and including `/v1`. */
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly model: string
  readonly timeoutMilliseconds?: number
}

const defaultTimeoutMilliseconds = 60_000
const maxShownCharacters = 300

/** Returns the response before its body is read. Never rejects. */
export async function postToService(
  service: OutsideService,
  path: string,
  body: string | FormData,
  signal?: AbortSignal,
): Promise<Outcome<Response, ServiceFailure>> {
  const timeout = AbortSignal.timeout(service.timeoutMilliseconds ?? defaultTimeoutMilliseconds)
  try {
    const response = await fetch(`${service.baseUrl.replace(/\/+$/, '')}${path}`, {
      method: 'POST',
      body,
      headers: {
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(service.apiKey === null ? {} : { authorization: `Bearer ${service.apiKey}` }),
      },
      // The body holds a user's voice or words, so redirects to other hosts are not followed.
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    if (response.ok) return done(response)
    if (response.status === 429) return overloaded
    return failed(
      `${path} answered ${response.status}: ${(await response.text()).slice(0, maxShownCharacters)}`,
    )
  } catch (error) {
    return failed(`${path} could not be reached: ${reasonOf(error)}`)
  }
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
