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
   * The stream resumes after a broken connection until you stop reading.
   *
   * Server-sent events about changes on any instance. An event names the resource, never its content. A caller
   * receives only events that it could read. After an interruption the stream resumes from the cursor in
   * `Last-Event-ID`. Events may repeat but are never lost. The stream ends when the key or session ends, when
   * the role changes, and when the service stops; clients reconnect. A comment is sent at least every 15
   * seconds.
   *
   * Requires no scope.
   *
   * @returns The events, until the caller disconnects.
   */
  followChanges(options: FollowOptions = {}): ChangeStream {
    return new ChangeStream(this.#http, { method: 'GET', path: '/api/v1/Event' }, options)
  }
}
