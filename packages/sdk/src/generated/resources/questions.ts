// Generated from the contract by `npm run generate`. What is changed here is lost.

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
   * Answers when the answer is complete, or with 202 when a tool call waits for approval. The turn then
   * continues in the background. With `Accept: text/event-stream` the answer is streamed. A turn continues if
   * the caller disconnects. Questions of one conversation are answered one after the other.
   *
   * Requires the scope `question:ask`.
   *
   * @returns The complete or stopped answer. As a stream: its events.
   */
  ask(agentId: string, body: QuestionInput, options: CreateOptions = {}): ApiPromise<QuestionAnswer> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Agent/${segment('agentId', agentId)}/question`, body, takesIdempotencyKey: true, isLong: true }, options)
  }

  /**
   * Ask an agent.
   *
   * Returns the same as a stream of events. It resumes after a broken connection, without loss or duplicates.
   *
   * Answers when the answer is complete, or with 202 when a tool call waits for approval. The turn then
   * continues in the background. With `Accept: text/event-stream` the answer is streamed. A turn continues if
   * the caller disconnects. Questions of one conversation are answered one after the other.
   *
   * Requires the scope `question:ask`.
   *
   * @returns The complete or stopped answer. As a stream: its events.
   */
  stream(agentId: string, body: QuestionInput, options: CreateOptions = {}): TurnStream {
    return new TurnStream(this.#http, { method: 'POST', path: `/api/v1/Agent/${segment('agentId', agentId)}/question`, body, takesIdempotencyKey: true }, options)
  }

  /**
   * Read a turn.
   *
   * The state of the answer to a question.
   *
   * Requires the scope `question:ask`.
   *
   * @returns The turn and the state of its answer.
   */
  getTurn(conversationId: string, turnId: string, options: RequestOptions = {}): ApiPromise<QuestionAnswer> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}/turn/${segment('turnId', turnId)}` }, options)
  }

  /**
   * Stop a turn.
   *
   * The partial answer is kept. An ended turn does not change.
   *
   * Requires the scope `question:ask`.
   *
   * @returns The turn has ended or is about to end. The answer has no body.
   */
  stopTurn(conversationId: string, turnId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}/turn/${segment('turnId', turnId)}` }, options)
  }

  /**
   * Follow a turn.
   *
   * The stream resumes after a broken connection, without loss or duplicates.
   *
   * From its start, or after the event in `Last-Event-ID`, on any instance. Events are neither lost nor
   * repeated. After the last event of an ended turn the answer is 204, so that an EventSource stops
   * reconnecting. Events are kept for 24 hours after the turn has ended.
   *
   * Requires the scope `question:ask`.
   *
   * @returns The events, until the turn ends.
   */
  followTurn(conversationId: string, turnId: string, options: FollowOptions = {}): TurnStream {
    return new TurnStream(this.#http, { method: 'GET', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}/turn/${segment('turnId', turnId)}/events` }, options)
  }
}
