// Generated from the contract by `npm run generate`. Do not edit.

import type { Page } from '../../rest/page.js'

/** One page of a list of `PhoneConnection` objects. */
export type PhoneConnectionPage = Page<PhoneConnection>

/** An account at a telephone provider or exchange. */
export interface PhoneConnection {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The display name of the phone connection. */
  name: string
  /**
   * The kind of the telephone provider. `sip` registers with any SIP provider or exchange. `asterisk` is an
   * Asterisk that sends the audio of calls over a WebSocket.
   */
  kind: 'sip' | 'twilio' | 'telnyx' | 'plivo' | 'vonage' | 'asterisk'
  /**
   * The account at the provider. For SIP and Asterisk, the user name. For Twilio, the Account SID. For Telnyx,
   * the ID of the Voice API application. For Plivo, the Auth ID. For Vonage, the application ID.
   */
  accountId: string
  /** The SIP account. Required if `kind` is `sip`, and `null` otherwise. */
  sip: SipAccountOutput | null
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
   * The provider's prices. Answered calls count towards usage and budgets with them. `null` if the prices are
   * unknown.
   */
  pricePerMinute: {
    /** The price of a minute of incoming calls in US dollars. `null` if it is unknown. */
    incoming: number | null
    /** The price of a minute of outgoing calls in US dollars. `null` if it is unknown. */
    outgoing: number | null
  } | null
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId: string | null
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy: string | null
  /** Whether a secret is stored. The secret itself is never returned. */
  hasSecret: boolean
  /** Whether a webhook secret is stored. The webhook secret itself is never returned. */
  hasWebhookSecret: boolean
  /**
   * Whether the provider accepts the account: `unknown` before the first request, `ready` or `failed` after
   * the last one. For SIP, `ready` means registered. `off` if the phone connection is not enabled.
   */
  state: 'off' | 'unknown' | 'ready' | 'failed'
  /** Why the last request failed. `null` if it did not fail. */
  failure: string | null
}

/** The parameters for creating or replacing a phone connection. */
export interface PhoneConnectionInput {
  /** The display name of the phone connection. */
  name: string
  /**
   * The kind of the telephone provider. `sip` registers with any SIP provider or exchange. `asterisk` is an
   * Asterisk that sends the audio of calls over a WebSocket.
   */
  kind: 'sip' | 'twilio' | 'telnyx' | 'plivo' | 'vonage' | 'asterisk'
  /**
   * The account at the provider. For SIP and Asterisk, the user name. For Twilio, the Account SID. For Telnyx,
   * the ID of the Voice API application. For Plivo, the Auth ID. For Vonage, the application ID.
   */
  accountId: string
  /** The SIP account. Required if `kind` is `sip`, and `null` otherwise. */
  sip?: SipAccount | null | undefined
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
   * The provider's prices. Answered calls count towards usage and budgets with them. `null` if the prices are
   * unknown.
   */
  pricePerMinute?: {
    /** The price of a minute of incoming calls in US dollars. `null` if it is unknown. */
    incoming?: number | null | undefined
    /** The price of a minute of outgoing calls in US dollars. `null` if it is unknown. */
    outgoing?: number | null | undefined
  } | null | undefined
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId?: string | null | undefined
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy?: string | null | undefined
  /**
   * The secret of the account. For SIP and Asterisk, the password. For Twilio and Plivo, the Auth Token. For
   * Telnyx, the API key. For Vonage, the private key of the application in PEM format. Write-only. If omitted,
   * the stored secret is kept. If `null`, it is deleted. Changing `kind`, `accountId`, `baseUrl` or `sip.host`
   * also deletes the stored secrets.
   */
  secret?: string | null | undefined
  /**
   * The secret or key that verifies the provider's webhooks, if it is not `secret`. For Telnyx, the public
   * key. For Vonage, the signature secret. Not used by other kinds. Write-only. If omitted, the stored value
   * is kept. If `null`, it is deleted.
   */
  webhookSecret?: string | null | undefined
}

/** A merge patch for a phone connection. */
export interface PhoneConnectionPatch {
  /** The display name of the phone connection. */
  name?: string | undefined
  /**
   * The kind of the telephone provider. `sip` registers with any SIP provider or exchange. `asterisk` is an
   * Asterisk that sends the audio of calls over a WebSocket.
   */
  kind?: 'sip' | 'twilio' | 'telnyx' | 'plivo' | 'vonage' | 'asterisk' | undefined
  /**
   * The account at the provider. For SIP and Asterisk, the user name. For Twilio, the Account SID. For Telnyx,
   * the ID of the Voice API application. For Plivo, the Auth ID. For Vonage, the application ID.
   */
  accountId?: string | undefined
  /** The SIP account. Required if `kind` is `sip`, and `null` otherwise. */
  sip?: SipAccount | null | undefined
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
   * The provider's prices. Answered calls count towards usage and budgets with them. `null` if the prices are
   * unknown.
   */
  pricePerMinute?: {
    /** The price of a minute of incoming calls in US dollars. `null` if it is unknown. */
    incoming?: number | null | undefined
    /** The price of a minute of outgoing calls in US dollars. `null` if it is unknown. */
    outgoing?: number | null | undefined
  } | null | undefined
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId?: string | null | undefined
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy?: string | null | undefined
  /**
   * The secret of the account. For SIP and Asterisk, the password. For Twilio and Plivo, the Auth Token. For
   * Telnyx, the API key. For Vonage, the private key of the application in PEM format. Write-only. If omitted,
   * the stored secret is kept. If `null`, it is deleted. Changing `kind`, `accountId`, `baseUrl` or `sip.host`
   * also deletes the stored secrets.
   */
  secret?: string | null | undefined
  /**
   * The secret or key that verifies the provider's webhooks, if it is not `secret`. For Telnyx, the public
   * key. For Vonage, the signature secret. Not used by other kinds. Write-only. If omitted, the stored value
   * is kept. If `null`, it is deleted.
   */
  webhookSecret?: string | null | undefined
}

/** The parameters for creating or replacing a phone connection by its external ID, which is part of the path. */
export interface PhoneConnectionUpsert {
  /** The display name of the phone connection. */
  name: string
  /**
   * The kind of the telephone provider. `sip` registers with any SIP provider or exchange. `asterisk` is an
   * Asterisk that sends the audio of calls over a WebSocket.
   */
  kind: 'sip' | 'twilio' | 'telnyx' | 'plivo' | 'vonage' | 'asterisk'
  /**
   * The account at the provider. For SIP and Asterisk, the user name. For Twilio, the Account SID. For Telnyx,
   * the ID of the Voice API application. For Plivo, the Auth ID. For Vonage, the application ID.
   */
  accountId: string
  /** The SIP account. Required if `kind` is `sip`, and `null` otherwise. */
  sip?: SipAccount | null | undefined
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
   * The provider's prices. Answered calls count towards usage and budgets with them. `null` if the prices are
   * unknown.
   */
  pricePerMinute?: {
    /** The price of a minute of incoming calls in US dollars. `null` if it is unknown. */
    incoming?: number | null | undefined
    /** The price of a minute of outgoing calls in US dollars. `null` if it is unknown. */
    outgoing?: number | null | undefined
  } | null | undefined
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy?: string | null | undefined
  /**
   * The secret of the account. For SIP and Asterisk, the password. For Twilio and Plivo, the Auth Token. For
   * Telnyx, the API key. For Vonage, the private key of the application in PEM format. Write-only. If omitted,
   * the stored secret is kept. If `null`, it is deleted. Changing `kind`, `accountId`, `baseUrl` or `sip.host`
   * also deletes the stored secrets.
   */
  secret?: string | null | undefined
  /**
   * The secret or key that verifies the provider's webhooks, if it is not `secret`. For Telnyx, the public
   * key. For Vonage, the signature secret. Not used by other kinds. Write-only. If omitted, the stored value
   * is kept. If `null`, it is deleted.
   */
  webhookSecret?: string | null | undefined
}

/** The result of testing a phone connection. */
export interface PhoneConnectionTest {
  /** Whether the provider responded and accepted the account. */
  ok: boolean
  /** A description of the result, and of what to do next. */
  detail: string
  /** The HTTP or SIP status code of the response. `null` if the provider did not respond. */
  providerStatus: number | null
  /** The duration of the test request in milliseconds. */
  durationMilliseconds: number
}

/** The account at a SIP provider or exchange. */
export interface SipAccountOutput {
  /** The host name or address of the registrar or exchange. */
  host: string
  /** The port. If `null`, the port of the SRV record, or 5060, or 5061 with TLS. */
  port: number | null
  /** The transport of SIP messages. */
  transport: 'udp' | 'tcp' | 'tls'
  /** The domain of the addresses. If `null`, the host. */
  domain: string | null
  /** The user name of the login. If `null`, `accountId`. */
  loginName: string | null
  /** The header with the number that outgoing calls show. With a `P-` header, `From` contains the account. */
  callerId: 'from' | 'p_preferred_identity' | 'p_asserted_identity'
  /** The format of numbers in outgoing calls and transfers: `+4930…`, `004930…` or `4930…`. */
  numberFormat: 'plus' | 'zeros' | 'digits'
  /** Whether the audio is encrypted with SRTP. The keys are sent in SIP messages, so use it with `tls`. */
  encryption: 'off' | 'offered' | 'required'
  /**
   * Whether the service registers with the host. If `false`, the host must know the address of the service.
   * Must be `true` with `tls`.
   */
  registers: boolean
  /**
   * The port of the service that receives SIP messages, for hosts that call without a registration. Each phone
   * connection needs another one. If `null`, any port.
   */
  localPort: number | null
  /** The address in descriptions of audio. Only needed if the router forwards the audio ports to the service. */
  publicAddress: string | null
}

/** The account at a SIP provider or exchange. */
export interface SipAccount {
  /** The host name or address of the registrar or exchange. */
  host: string
  /** The port. If `null`, the port of the SRV record, or 5060, or 5061 with TLS. */
  port?: number | null | undefined
  /** The transport of SIP messages. Default: `"udp"`. */
  transport?: 'udp' | 'tcp' | 'tls' | undefined
  /** The domain of the addresses. If `null`, the host. */
  domain?: string | null | undefined
  /** The user name of the login. If `null`, `accountId`. */
  loginName?: string | null | undefined
  /**
   * The header with the number that outgoing calls show. With a `P-` header, `From` contains the account.
   * Default: `"from"`.
   */
  callerId?: 'from' | 'p_preferred_identity' | 'p_asserted_identity' | undefined
  /** The format of numbers in outgoing calls and transfers: `+4930…`, `004930…` or `4930…`. Default: `"plus"`. */
  numberFormat?: 'plus' | 'zeros' | 'digits' | undefined
  /**
   * Whether the audio is encrypted with SRTP. The keys are sent in SIP messages, so use it with `tls`.
   * Default: `"off"`.
   */
  encryption?: 'off' | 'offered' | 'required' | undefined
  /**
   * Whether the service registers with the host. If `false`, the host must know the address of the service.
   * Must be `true` with `tls`. Default: `true`.
   */
  registers?: boolean | undefined
  /**
   * The port of the service that receives SIP messages, for hosts that call without a registration. Each phone
   * connection needs another one. If `null`, any port.
   */
  localPort?: number | null | undefined
  /** The address in descriptions of audio. Only needed if the router forwards the audio ports to the service. */
  publicAddress?: string | null | undefined
}
