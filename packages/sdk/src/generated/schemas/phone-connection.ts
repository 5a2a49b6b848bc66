// Generated from the contract by `npm run generate`. Do not edit.

import type { Page } from '../../rest/page.js'

/** One page of a list of `PhoneConnection` objects. */
export type PhoneConnectionPage = Page<PhoneConnection>

/** An account at a telephone provider. */
export interface PhoneConnection {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The display name of the phone connection. */
  name: string
  /** The kind of the telephone provider. */
  kind: 'twilio'
  /** The account at the provider. For Twilio, the Account SID. */
  accountId: string
  /** The base URL of the provider's API. If `null`, the default URL of the kind is used. */
  baseUrl: string | null
  /** Whether calls can start. If `false`, incoming calls are rejected. Active calls continue. */
  isEnabled: boolean
  /** The maximum number of concurrent calls. */
  maxCalls: number
  /**
   * The beginnings of the numbers that can be called, or to which users can transfer calls, for example `+49`.
   * If empty, the phone connection makes no outgoing calls.
   */
  allowedPrefixes: string[]
  /** The maximum number of outgoing calls within 60 minutes. */
  maxCallsPerHour: number
  /** When no outgoing calls start. `null` if they can start at any time. */
  quietHours: {
    /** The start of the quiet hours. */
    from: string
    /** The end of the quiet hours. If it is before `from`, they end the next day. */
    to: string
    /** The IANA time zone of both times, for example `Europe/Berlin`. */
    timeZone: string
  } | null
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId: string | null
  /**
   * The name of the file set that manages this resource. It is set by `parley apply`. `null` if the resource
   * is not managed by files. `parley apply --prune` deletes the managed resources that are no longer in the
   * files.
   */
  managedBy: string | null
  /** Whether a secret is stored. The secret itself is never returned. */
  hasSecret: boolean
  /**
   * Whether the provider accepts the account: `unknown` before the first request, `ready` or `failed` after
   * the last one. `off` if the phone connection is not enabled.
   */
  state: 'off' | 'unknown' | 'ready' | 'failed'
  /** Why the last request failed. `null` if it did not fail. */
  failure: string | null
}

/** The parameters for creating or replacing a phone connection. */
export interface PhoneConnectionInput {
  /** The display name of the phone connection. */
  name: string
  /** The kind of the telephone provider. */
  kind: 'twilio'
  /** The account at the provider. For Twilio, the Account SID. */
  accountId: string
  /** The base URL of the provider's API. If `null`, the default URL of the kind is used. */
  baseUrl?: string | null | undefined
  /** Whether calls can start. If `false`, incoming calls are rejected. Active calls continue. Default: `true`. */
  isEnabled?: boolean | undefined
  /** The maximum number of concurrent calls. Default: `10`. */
  maxCalls?: number | undefined
  /**
   * The beginnings of the numbers that can be called, or to which users can transfer calls, for example `+49`.
   * If empty, the phone connection makes no outgoing calls. Default: `[]`.
   */
  allowedPrefixes?: string[] | undefined
  /** The maximum number of outgoing calls within 60 minutes. Default: `60`. */
  maxCallsPerHour?: number | undefined
  /** When no outgoing calls start. `null` if they can start at any time. */
  quietHours?: {
    /** The start of the quiet hours. */
    from: string
    /** The end of the quiet hours. If it is before `from`, they end the next day. */
    to: string
    /** The IANA time zone of both times, for example `Europe/Berlin`. */
    timeZone: string
  } | null | undefined
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId?: string | null | undefined
  /**
   * The name of the file set that manages this resource. It is set by `parley apply`. `null` if the resource
   * is not managed by files. `parley apply --prune` deletes the managed resources that are no longer in the
   * files.
   */
  managedBy?: string | null | undefined
  /**
   * The secret of the account. For Twilio, the Auth Token. Write-only. If omitted, the stored secret is kept.
   * If `null`, it is deleted. Changing `accountId` or `baseUrl` also deletes the stored secret.
   */
  secret?: string | null | undefined
}

/** A merge patch for a phone connection. */
export interface PhoneConnectionPatch {
  /** The display name of the phone connection. */
  name?: string | undefined
  /** The kind of the telephone provider. */
  kind?: 'twilio' | undefined
  /** The account at the provider. For Twilio, the Account SID. */
  accountId?: string | undefined
  /** The base URL of the provider's API. If `null`, the default URL of the kind is used. */
  baseUrl?: string | null | undefined
  /** Whether calls can start. If `false`, incoming calls are rejected. Active calls continue. */
  isEnabled?: boolean | undefined
  /** The maximum number of concurrent calls. */
  maxCalls?: number | undefined
  /**
   * The beginnings of the numbers that can be called, or to which users can transfer calls, for example `+49`.
   * If empty, the phone connection makes no outgoing calls.
   */
  allowedPrefixes?: string[] | undefined
  /** The maximum number of outgoing calls within 60 minutes. */
  maxCallsPerHour?: number | undefined
  /** When no outgoing calls start. `null` if they can start at any time. */
  quietHours?: {
    /** The start of the quiet hours. */
    from: string
    /** The end of the quiet hours. If it is before `from`, they end the next day. */
    to: string
    /** The IANA time zone of both times, for example `Europe/Berlin`. */
    timeZone: string
  } | null | undefined
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId?: string | null | undefined
  /**
   * The name of the file set that manages this resource. It is set by `parley apply`. `null` if the resource
   * is not managed by files. `parley apply --prune` deletes the managed resources that are no longer in the
   * files.
   */
  managedBy?: string | null | undefined
  /**
   * The secret of the account. For Twilio, the Auth Token. Write-only. If omitted, the stored secret is kept.
   * If `null`, it is deleted. Changing `accountId` or `baseUrl` also deletes the stored secret.
   */
  secret?: string | null | undefined
}

/** The parameters for creating or replacing a phone connection by its external ID, which is part of the path. */
export interface PhoneConnectionUpsert {
  /** The display name of the phone connection. */
  name: string
  /** The kind of the telephone provider. */
  kind: 'twilio'
  /** The account at the provider. For Twilio, the Account SID. */
  accountId: string
  /** The base URL of the provider's API. If `null`, the default URL of the kind is used. */
  baseUrl?: string | null | undefined
  /** Whether calls can start. If `false`, incoming calls are rejected. Active calls continue. Default: `true`. */
  isEnabled?: boolean | undefined
  /** The maximum number of concurrent calls. Default: `10`. */
  maxCalls?: number | undefined
  /**
   * The beginnings of the numbers that can be called, or to which users can transfer calls, for example `+49`.
   * If empty, the phone connection makes no outgoing calls. Default: `[]`.
   */
  allowedPrefixes?: string[] | undefined
  /** The maximum number of outgoing calls within 60 minutes. Default: `60`. */
  maxCallsPerHour?: number | undefined
  /** When no outgoing calls start. `null` if they can start at any time. */
  quietHours?: {
    /** The start of the quiet hours. */
    from: string
    /** The end of the quiet hours. If it is before `from`, they end the next day. */
    to: string
    /** The IANA time zone of both times, for example `Europe/Berlin`. */
    timeZone: string
  } | null | undefined
  /**
   * The name of the file set that manages this resource. It is set by `parley apply`. `null` if the resource
   * is not managed by files. `parley apply --prune` deletes the managed resources that are no longer in the
   * files.
   */
  managedBy?: string | null | undefined
  /**
   * The secret of the account. For Twilio, the Auth Token. Write-only. If omitted, the stored secret is kept.
   * If `null`, it is deleted. Changing `accountId` or `baseUrl` also deletes the stored secret.
   */
  secret?: string | null | undefined
}

/** The result of testing a phone connection. */
export interface PhoneConnectionTest {
  /** Whether the provider responded and accepted the account. */
  ok: boolean
  /** A description of the result, and of what to do next. */
  detail: string
  /** The HTTP status code of the response. `null` if the provider did not respond. */
  providerStatus: number | null
  /** The duration of the test request in milliseconds. */
  durationMilliseconds: number
}
