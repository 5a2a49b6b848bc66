import type { ReplayedRequest } from './replayed-request.js'

/** A request that the bench sends over and over. */
export interface RestRequest {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: object | null
  /** The text model that is asked on the way, if one is. */
  readonly modelUrl: string | null
}

/** The same for a bare server: what it has the database do, and what it answers. */
export interface BareRoute extends RestRequest {
  readonly status: number
  readonly answer: unknown
  readonly replay: ReplayedRequest
}
