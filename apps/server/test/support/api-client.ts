import { type RequireContract, requireContract } from './http/answer-of-contract.js'
import { send } from './http/send.js'

export interface Credentials {
  readonly organizationId: string
  readonly apiKey: string
}

export interface CallOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface ApiAnswer<Body> {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON body with the type that the test declares; undefined if there is none. */
  readonly body: Body
  readonly text: string
}

export interface ApiClient {
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    options?: CallOptions,
  ): Promise<ApiAnswer<Body>>
  /** The same client with other credentials. */
  as(credentials: Partial<Credentials>): ApiClient
}

/**
 * Calls the API over real HTTP, as a customer's backend does. Every response must match the contract, by
 * default today's.
 */
export function makeApiClient(
  url: string,
  credentials: Credentials,
  checkAnswer: RequireContract = requireContract,
): ApiClient {
  return {
    async call<Body>(method: string, path: string, { body, headers = {} }: CallOptions = {}) {
      const answer = await send(url, {
        method,
        path,
        headers: {
          'x-api-key': credentials.apiKey,
          'x-org-id': credentials.organizationId,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const isJson = /json/.test(answer.headers.get('content-type') ?? '') && answer.text !== ''
      const parsed: unknown = isJson ? JSON.parse(answer.text) : undefined
      checkAnswer(method, path, answer.status, parsed)
      return { ...answer, body: parsed as Body }
    },
    as: (others) => makeApiClient(url, { ...credentials, ...others }, checkAnswer),
  }
}
