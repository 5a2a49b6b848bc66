// Generated from the contract by `npm run generate`. What is changed here is lost.

import { ChangeStream } from '../../rest/change-stream.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { FollowOptions } from '../../rest/request-options.js'

export class Events {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * Follow the changes of the organization.
   *
   * The stream takes itself up again after a broken connection, for as long as it is read.
   *
   * Server-sent events, on whichever instance, of what changes on any of them: what and which, never its
   * contents. Only what the caller could read is told of. After a break the stream goes on from the cursor in
   * `Last-Event-ID`; what it has to tell may be told twice, and is never left out. It ends when the key or
   * session does or the role changes, and when the service stops; then it is opened anew. A comment comes at
   * least every 15 seconds.
   *
   * Needs no scope.
   *
   * @returns The events, as they come, until the caller leaves.
   */
  followChanges(options: FollowOptions = {}): ChangeStream {
    return new ChangeStream(this.#http, { method: 'GET', path: '/api/v1/Event' }, options)
  }
}
