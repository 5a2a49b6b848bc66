import { paced } from './paced-body.js'

/**
 * The network result of the last attempt. It is recorded here because the provider SDKs wrap network errors
 * in their own error types.
 */
export interface Observation {
  tries: number
  /** The status of the provider's response, or null if none arrived. */
  status: number | null
  headers: Headers | null
  /** The error that rejected the call, or null if the provider answered. */
  error: unknown
}

export function observe(fetch: typeof globalThis.fetch): {
  readonly fetch: typeof globalThis.fetch
  readonly seen: Observation
} {
  const seen: Observation = { tries: 0, status: null, headers: null, error: null }
  return {
    seen,
    fetch: async (input, init) => {
      Object.assign(seen, { tries: seen.tries + 1, status: null, headers: null, error: null })
      try {
        const response = await fetch(input, init)
        seen.status = response.status
        seen.headers = response.headers
        return paced(response)
      } catch (error) {
        seen.error = error
        throw error
      }
    },
  }
}
