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
   * Answers when the answer is complete, or with 202 when a tool waits for approval: the turn then goes on by
   * itself. With `Accept: text/event-stream` the answer comes as it is made. A caller who leaves does not stop
   * the turn. Questions of one conversation are answered one after the other.
   *
   * Needs the scope `question:ask`.
   *
   * @returns The answer, complete or stopped; as a stream, its events.
   */
  ask(agentId: string, body: QuestionInput, options: CreateOptions = {}): ApiPromise<QuestionAnswer> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Agent/${segment('agentId', agentId)}/question`, body, takesIdempotencyKey: true, isLong: true }, options)
  }

  /**
   * Ask an agent.
   *
   * The same as a stream of events. It takes itself up again after a broken connection, without loss or
   * doubling.
   *
   * Answers when the answer is complete, or with 202 when a tool waits for approval: the turn then goes on by
   * itself. With `Accept: text/event-stream` the answer comes as it is made. A caller who leaves does not stop
   * the turn. Questions of one conversation are answered one after the other.
   *
   * Needs the scope `question:ask`.
   *
   * @returns The answer, complete or stopped; as a stream, its events.
   */
  stream(agentId: string, body: QuestionInput, options: CreateOptions = {}): TurnStream {
    return new TurnStream(this.#http, { method: 'POST', path: `/api/v1/Agent/${segment('agentId', agentId)}/question`, body, takesIdempotencyKey: true }, options)
  }

  /**
   * Read a turn.
   *
   * How far the answer to a question is.
   *
   * Needs the scope `question:ask`.
   *
   * @returns The question's turn and how far its answer is.
   */
  getTurn(conversationId: string, turnId: string, options: RequestOptions = {}): ApiPromise<QuestionAnswer> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}/turn/${segment('turnId', turnId)}` }, options)
  }

  /**
   * Stop a turn.
   *
   * What was answered so far is kept. A turn that has ended stays as it is.
   *
   * Needs the scope `question:ask`.
   *
   * @returns The turn has ended or is about to; there is no body.
   */
  stopTurn(conversationId: string, turnId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}/turn/${segment('turnId', turnId)}` }, options)
  }

  /**
   * Follow a turn.
   *
   * The stream takes itself up again after a broken connection, without loss or doubling.
   *
   * From its start, or after the event that `Last-Event-ID` names, on whichever instance; no event is lost or
   * repeated. After the last event of a turn that has ended the answer is 204, at which an EventSource stops
   * coming again. Events are kept for 24 hours after the turn has ended.
   *
   * Needs the scope `question:ask`.
   *
   * @returns The events, as they come, to the end of the turn.
   */
  followTurn(conversationId: string, turnId: string, options: FollowOptions = {}): TurnStream {
    return new TurnStream(this.#http, { method: 'GET', path: `/api/v1/Conversation/${segment('conversationId', conversationId)}/turn/${segment('turnId', turnId)}/events` }, options)
  }
}
