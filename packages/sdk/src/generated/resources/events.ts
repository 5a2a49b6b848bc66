// Generated from the contract by `npm run generate`. Do not edit.

import { ChangeStream } from '../../rest/change-stream.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { FollowOptions } from '../../rest/request-options.js'

export class Events {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * Follow changes in the organization.
   *
   * The stream resumes after a broken connection until you stop reading.
   *
   * Streams server-sent events about changes on all instances. An event contains the type and ID of the
   * resource, but not its content. Callers only receive events for resources that they can read. After an
   * interruption, the stream resumes from the cursor in `Last-Event-ID`. Events can be repeated, but are never
   * lost. The stream ends when the API key or session becomes invalid, when the role of the user changes, and
   * when the service stops. Clients must then reconnect. A comment is sent at least every 15 seconds to keep
   * the connection alive.
   *
   * No scope is required.
   *
   * @returns A stream of events that continues until the caller disconnects.
   */
  followChanges(options: FollowOptions = {}): ChangeStream {
    return new ChangeStream(this.#http, { method: 'GET', path: '/api/v1/Event' }, options)
  }
}
