// Generated from the contract by `npm run generate`. Do not edit.

import type { QuestionAnswer, QuestionInput } from '../schemas/question.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { CreateOptions, FollowOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'
import { TurnStream } from '../../rest/turn-stream.js'

export class Questions {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * Ask an agent.
   *
   * Returns when the answer is complete. If a tool call requires approval, returns 202 and the turn continues
   * in the background. With `Accept: text/event-stream`, the answer is streamed. The turn continues even if
   * the caller disconnects. The questions of a conversation are answered one after another.
   *
   * Requires the scope `question:ask`.
   *
   * @returns The answer, or a stream of its events.
   */
  ask(agentId: string, body: QuestionInput, options: CreateOptions = {}): ApiPromise<QuestionAnswer> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Agent/${segment('agentId', agentId)}/question`, body, takesIdempotencyKey: true, isLong: true }, options)
  }

  /**
   * Ask an agent.
   *
   * Returns the same as a stream of events. It resumes after a broken connection, without loss or duplicates.
   *
   * Returns when the answer is complete. If a tool call requires approval, returns 202 and the turn continues
   * in the background. With `Accept: text/event-stream`, the answer is streamed. The turn continues even if
   * the caller disconnects. The questions of a conversation are answered one after another.
   *
   * Requires the scope `question:ask`.
   *
   * @returns The answer, or a stream of its events.
   */
  stream(agentId: string, body: QuestionInput, options: CreateOptions = {}): TurnStream {
    return new TurnStream(this.#http, { method: 'POST', path: `/api/v1/Agent/${segment('agentId', agentId)}/question`, body, takesIdempotencyKey: true }, options)
  }

  /**
   * Retrieve a turn.
   *
   * Returns a question and its answer so far.
   *
   * Requires the scope `question:ask`.
   *
   * @returns The turn, with the answer so far.
   */
  getTurn(conversationId: string, turnId: string, options: RequestOptions = {}): ApiPromise<QuestionAnswer> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}/turn/${segment('turnId', turnId)}` }, options)
  }

  /**
   * Stop a turn.
   *
   * The partial answer is kept. If the turn has already ended, the request has no effect.
   *
   * Requires the scope `question:ask`.
   *
   * @returns The turn has ended or is about to end. The response has no body.
   */
  stopTurn(conversationId: string, turnId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}/turn/${segment('turnId', turnId)}` }, options)
  }

  /**
   * Follow a turn.
   *
   * The stream resumes after a broken connection, without loss or duplicates.
   *
   * Streams the events of a turn from its start, or after the event in `Last-Event-ID`. The turn can run on
   * any instance. Events are neither lost nor repeated. If the turn has ended and there are no more events,
   * returns 204, so that an `EventSource` stops reconnecting. Events are kept for 24 hours after the end of
   * the turn.
   *
   * Requires the scope `question:ask`.
   *
   * @returns A stream of events that continues until the turn ends.
   */
  followTurn(conversationId: string, turnId: string, options: FollowOptions = {}): TurnStream {
    return new TurnStream(this.#http, { method: 'GET', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}/turn/${segment('turnId', turnId)}/events` }, options)
  }
}
