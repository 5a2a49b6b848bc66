import type { ReplayedRequest } from './replayed-request.js'

export interface RestRequest {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: object | null
  /** The text model that the request calls, if any. */
  readonly modelUrl: string | null
}

/** The same request for a bare server: its statements and its response. */
export interface BareRoute extends RestRequest {
  readonly status: number
  readonly answer: unknown
  readonly replay: ReplayedRequest
}
