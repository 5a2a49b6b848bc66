// Generated from the contract by `npm run generate`. Do not edit.

import type { CallRequest, PhoneCall, PhoneCallDigits, PhoneCallStatistics, PhoneCallStop, PhoneCallTransfer } from '../schemas/phone-call.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { CreateOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListPhoneCallsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
  /** Only return calls of this end user. */
  EndUserId?: string | undefined
  /** Only return calls of the end user with this external ID. */
  ExternalUserId?: string | undefined
  /** Only return calls of this agent. */
  AgentId?: string | undefined
  /** Only return calls of this conversation. */
  ConversationId?: string | undefined
  /** Only return calls of this phone number. */
  PhoneNumberId?: string | undefined
  /** Only return calls of this phone connection. */
  PhoneConnectionId?: string | undefined
  /** Only return calls in this direction. */
  Direction?: 'incoming' | 'outgoing' | undefined
  /** Only return calls in this state. */
  State?: 'queued' | 'ringing' | 'active' | 'ended' | undefined
  /** Only return calls with this end reason. */
  EndReason?: 'hung_up' | 'agent_hung_up' | 'stopped' | 'transferred' | 'busy' | 'no_answer' | 'rejected' | 'voicemail' | 'failed' | undefined
  /** Only return calls created at or after this time. */
  From?: string | undefined
  /** Only return calls created before this time. */
  To?: string | undefined
}

export interface GetPhoneCallStatisticsQuery {
  /** Only return calls that were created at or after this time. If omitted, seven days before `To`. */
  From?: string | undefined
  /** Only return calls that were created before this time. If omitted, the current time. */
  To?: string | undefined
  /** The length of the buckets. Default: `"day"`. */
  By?: 'hour' | 'day' | undefined
  /** The IANA time zone of the buckets, for example `Europe/Berlin`. Default: `"UTC"`. */
  TimeZone?: string | undefined
  /** Only return calls of this agent. */
  AgentId?: string | undefined
  /** Only return calls of this phone number. */
  PhoneNumberId?: string | undefined
  /** Only return calls of this phone connection. */
  PhoneConnectionId?: string | undefined
  /** Only return calls in this direction. */
  Direction?: 'incoming' | 'outgoing' | undefined
}

export class PhoneCalls {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * Make a call.
   *
   * Queues an outgoing call. The call is dialed at most once, even if the service is restarted. Retrieve the
   * call to learn its outcome.
   *
   * Requires the scope `call:make`.
   *
   * @returns The queued call.
   */
  makeCall(agentId: string, body: CallRequest, options: CreateOptions = {}): ApiPromise<PhoneCall> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Agent/${segment('agentId', agentId)}/call`, body, takesIdempotencyKey: true }, options)
  }

  /**
   * List calls.
   *
   * Requires the scope `phone:read`.
   *
   * @returns One page of the calls.
   */
  list(query: ListPhoneCallsQuery = {}, options: RequestOptions = {}): ListPromise<PhoneCall> {
    return this.#http.list({ method: 'GET', path: '/api/v1/PhoneCall', query }, options)
  }

  /**
   * Stop all calls.
   *
   * The emergency stop: ends all calls of the organization and disables all its phone connections, so that no
   * call starts until they are enabled again.
   *
   * Requires the scope `phone:write`.
   *
   * @returns The numbers of calls and phone connections that were stopped.
   */
  stop(options: RequestOptions = {}): ApiPromise<PhoneCallStop> {
    return this.#http.json({ method: 'POST', path: '/api/v1/PhoneCall/stop-all' }, options)
  }

  /**
   * Retrieve call statistics.
   *
   * Returns statistics of the calls by the hour or day of their creation: number, directions, end reasons,
   * answered share and duration. The period cannot exceed 92 days.
   *
   * Requires the scope `phone:read`.
   *
   * @returns The totals for the whole period and for each hour or day.
   */
  getStatistics(
    query: GetPhoneCallStatisticsQuery = {},
    options: RequestOptions = {},
  ): ApiPromise<PhoneCallStatistics> {
    return this.#http.json({ method: 'GET', path: '/api/v1/PhoneCall/statistics', query }, options)
  }

  /**
   * Retrieve a call.
   *
   * Requires the scope `phone:read`.
   *
   * @returns The requested call.
   */
  get(phoneCallId: string, options: RequestOptions = {}): ApiPromise<PhoneCall> {
    return this.#http.json({ method: 'GET', path: `/api/v1/PhoneCall/${segment('phoneCallId', phoneCallId)}` }, options)
  }

  /**
   * Hang up a call.
   *
   * Ends the call on any instance. A queued call is not dialed. Has no effect on an ended call.
   *
   * Requires the scope `phone:write`.
   *
   * @returns The call has ended or is about to end. The response has no body.
   */
  hangUp(phoneCallId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'POST', path: `/api/v1/PhoneCall/${segment('phoneCallId', phoneCallId)}/hang-up` }, options)
  }

  /**
   * Press keys in a call.
   *
   * Sends keys to the other party of an active call, for example to a voice menu, on any instance within about
   * a second. At most 32 keys can wait.
   *
   * Requires the scope `call:make`.
   *
   * @returns The keys are about to be sent. The response has no body.
   */
  sendDigits(phoneCallId: string, body: PhoneCallDigits, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'POST', path: `/api/v1/PhoneCall/${segment('phoneCallId', phoneCallId)}/digits`, body }, options)
  }

  /**
   * Transfer a call.
   *
   * Connects the other party with another number. The agent leaves the call.
   *
   * Requires the scope `call:make`.
   *
   * @returns The provider has accepted the transfer. The response has no body.
   */
  transfer(phoneCallId: string, body: PhoneCallTransfer, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'POST', path: `/api/v1/PhoneCall/${segment('phoneCallId', phoneCallId)}/transfer`, body }, options)
  }
}
