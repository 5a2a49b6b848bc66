// Generated from the contract by `npm run generate`. Do not edit.

import type { Metadata } from '../schemas/question.js'
import type { Variables } from '../schemas/tool-trial.js'
import type { Page } from '../../rest/page.js'

/** The parameters for making a call. */
export interface CallRequest {
  /** The number to call, in international format. */
  to: string
  /** The number to call from. It must be a phone number of the organization. */
  from: string
  /** The agent's first words when the call is answered. If `null`, the greeting of the phone number. */
  greeting?: string | null | undefined
  /** Additional instructions for this call. They are appended to the system message of the agent. */
  additionalInstructions?: string | null | undefined
  /**
   * The behavior if a voicemail answers. `talk`: the agent talks as to a person. `leave_message` and
   * `hang_up`: the provider is asked to detect voicemails, and the agent leaves a message or hangs up.
   * Providers that cannot detect a voicemail ignore this. Default: `"talk"`.
   */
  voicemail?: 'talk' | 'leave_message' | 'hang_up' | undefined
  /** Your own ID of the end user. The first use creates the end user. `null` if the end user is anonymous. */
  externalUserId?: string | null | undefined
  /** Metadata of the conversation. Later requests merge theirs into it. Default: `{}`. */
  metadata?: Metadata | undefined
  /**
   * Values for `{{name}}` in the agent's instructions, first message and HTTP tools. The conversation keeps
   * them for later requests. Default: `{}`.
   */
  variables?: Variables | undefined
}

/** A telephone call of an agent. */
export interface PhoneCall {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The direction of the call. */
  direction: 'incoming' | 'outgoing'
  /** The number of the caller. `null` if the caller is anonymous, or if the conversation was deleted. */
  from: string | null
  /** The called number. `null` if the conversation was deleted. */
  to: string | null
  /** The state of the call. An outgoing call is `queued` until the provider dials. */
  state: 'queued' | 'ringing' | 'active' | 'ended'
  /** Why the call ended. `null` if it has not ended. */
  endReason: 'hung_up' | 'agent_hung_up' | 'stopped' | 'transferred' | 'busy' | 'no_answer' | 'rejected' | 'voicemail' | 'failed' | null
  /** A description of why the call was rejected or failed. `null` otherwise. */
  endDetail: string | null
  /** The ID of the phone connection. */
  phoneConnectionId: string
  /** The ID of the phone number. */
  phoneNumberId: string
  /** The ID of the agent. */
  agentId: string
  /** The ID of the conversation. `null` if it has not started. */
  conversationId: string | null
  /**
   * The ID of the latest realtime session of the call. `null` if there is none. A long call has several
   * sessions, one after another.
   */
  realtimeSessionId: string | null
  /** The ID of the end user. `null` if the end user is anonymous. */
  endUserId: string | null
  /** The provider's ID of the call. `null` if there is none. */
  providerCallId: string | null
  /** When the call was answered (UTC). `null` if it was not answered. */
  answeredAt: string | null
  /** When the call ended (UTC). `null` if it has not ended. */
  endedAt: string | null
  /** The duration from the answer to the end. `null` if the call was not answered or has not ended. */
  seconds: number | null
}

/** One page of a list of `PhoneCall` objects. */
export type PhoneCallPage = Page<PhoneCall>

/** The result of an emergency stop. */
export interface PhoneCallStop {
  /** The number of calls that end. */
  calls: number
  /** The number of phone connections that were disabled. */
  phoneConnections: number
}

/** Statistics of the calls in a period. */
export interface PhoneCallStatistics {
  /** The start of the covered period (UTC). */
  from: string
  /** The end of the covered period (UTC). */
  to: string
  /** The totals for the whole period. */
  total: {
    /** The number of calls, including those that have not ended. */
    calls: number
    /** The number of incoming calls. */
    incoming: number
    /** The number of outgoing calls. */
    outgoing: number
    /** The number of answered calls, including active calls. */
    answered: number
    /**
     * The share of answered calls among those that were answered or have ended, between 0 and 1. `null` if
     * there are none.
     */
    answeredShare: number | null
    /** The number of ended calls by direction and end reason. */
    ends: {
      /** The direction of the calls. */
      direction: 'incoming' | 'outgoing'
      /** The end reason of the calls. */
      reason: 'hung_up' | 'agent_hung_up' | 'stopped' | 'transferred' | 'busy' | 'no_answer' | 'rejected' | 'voicemail' | 'failed'
      /** The number of calls. */
      calls: number
    }[]
    /** The total duration from answer to end in seconds. Active calls are not included. */
    seconds: number
    /** The average duration of the answered calls that have ended. `null` if there are none. */
    averageSeconds: number | null
  }
  /** The hours or days in chronological order, including those without calls. */
  buckets: PhoneCallStatisticsBucket[]
}

/** The parameters for pressing keys in a call. */
export interface PhoneCallDigits {
  /** The keys to press, for example `1234#`. */
  digits: string
}

/** The parameters for transferring a call. */
export interface PhoneCallTransfer {
  /** The number to transfer the call to. The phone connection must allow its beginning in `allowedPrefixes`. */
  to: string
}

/** Statistics of the calls that were created in an hour or a day. */
export interface PhoneCallStatisticsBucket {
  /** The start of the bucket (UTC). */
  from: string
  /**
   * The end of the bucket (UTC). The first and the last bucket can be shorter, because they are limited to the
   * requested period.
   */
  to: string
  /** The number of calls, including those that have not ended. */
  calls: number
  /** The number of incoming calls. */
  incoming: number
  /** The number of outgoing calls. */
  outgoing: number
  /** The number of answered calls, including active calls. */
  answered: number
  /**
   * The share of answered calls among those that were answered or have ended, between 0 and 1. `null` if there
   * are none.
   */
  answeredShare: number | null
  /** The number of ended calls by direction and end reason. */
  ends: {
    /** The direction of the calls. */
    direction: 'incoming' | 'outgoing'
    /** The end reason of the calls. */
    reason: 'hung_up' | 'agent_hung_up' | 'stopped' | 'transferred' | 'busy' | 'no_answer' | 'rejected' | 'voicemail' | 'failed'
    /** The number of calls. */
    calls: number
  }[]
  /** The total duration from answer to end in seconds. Active calls are not included. */
  seconds: number
  /** The average duration of the answered calls that have ended. `null` if there are none. */
  averageSeconds: number | null
}
