// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of McpAuthorization items. */
export type McpAuthorizationPage = Page<McpAuthorization>

/** The right to use an MCP server that asks for OAuth, without its tokens. */
export interface McpAuthorization {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The address of the MCP server, exactly as agents name it. */
  serverUrl: string
  /** Our id at the issuer; null: the service registers itself there. */
  clientId: string | null
  /** What to ask for, separated by spaces; null: what the server says that it needs. */
  scope: string | null
  /** Whether a client secret was given; it is never shown. */
  hasClientSecret: boolean
  /** `new`: nobody has consented yet. `expired`: somebody has to consent again. */
  state: 'new' | 'authorized' | 'expired'
  /** Who has given the tokens. */
  issuer: string | null
  /** When the access token expires; it is renewed before where that is possible. */
  expiresAt: string | null
  /** Who has consented; null where nobody has. */
  authorizedBy: {
    /**
     * What kind of actor it was; `person` is somebody who has signed in, `session` the client of a realtime
     * session, `operator` the `parley` command.
     */
    type: 'api_key' | 'person' | 'session' | 'agent' | 'system' | 'operator'
    /** The id of the actor. */
    id: string | null
    /** The actor's name at the time. */
    name: string | null
  } | null
  /** Why it does not work, for a person to read; null where it does. */
  failure: string | null
}

/** An MCP server whose tokens the service is to get. */
export interface McpAuthorizationInput {
  /** The address of the MCP server, exactly as agents name it. */
  serverUrl: string
  /** Our id at the issuer; null: the service registers itself there. */
  clientId?: string | null | undefined
  /** What to ask for, separated by spaces; null: what the server says that it needs. */
  scope?: string | null | undefined
  /** Our secret at the issuer, where it has given us one. Write-only. */
  clientSecret?: string | null | undefined
}

/** How somebody is asked for consent. */
export interface McpConsentStart {
  /**
   * Where the browser is sent with the code, for a program that waits for it on the same machine; null: to the
   * service, whose page completes it.
   */
  redirectUri?: string | null | undefined
}

/** A consent that somebody is asked for; it works for ten minutes. */
export interface McpConsent {
  /** Where to send the browser; null where the server or its issuer stood in the way. */
  authorizationUrl: string | null
  /** What to do, or what stood in the way, for a person to read. */
  detail: string
}

/** What a browser came back with. */
export interface McpConsentAnswer {
  /** What came back as `state`. */
  state: string
  /** What came back as `code`. */
  code: string
  /** What came back as `iss`, where it did. */
  issuer?: string | null | undefined
}

/** What came of a consent. */
export interface McpConsentOutcome {
  /** Whether agents can use the server now. */
  isAuthorized: boolean
  /** What came of it, for a person to read. */
  detail: string
}
