// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of McpAuthorization items. */
export type McpAuthorizationPage = Page<McpAuthorization>

/** The authorization to use an MCP server that requires OAuth, without its tokens. */
export interface McpAuthorization {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The address of the MCP server, exactly as agents name it. */
  serverUrl: string
  /** The client id at the issuer. Null: the service registers itself. */
  clientId: string | null
  /** The scopes to request, separated by spaces. Null: those that the server asks for. */
  scope: string | null
  /** Whether a client secret is stored. It is never shown. */
  hasClientSecret: boolean
  /** `new`: consent is missing. `expired`: consent is needed again. */
  state: 'new' | 'authorized' | 'expired'
  /** The issuer of the tokens. */
  issuer: string | null
  /** When the access token expires. The service renews it before, if possible. */
  expiresAt: string | null
  /** The person who consented. Null: consent is missing. */
  authorizedBy: {
    /**
     * The kind of actor: `person` is a signed-in user, `session` the client of a realtime session, `operator`
     * the `parley` command.
     */
    type: 'api_key' | 'person' | 'session' | 'agent' | 'system' | 'operator'
    /** The id of the actor. */
    id: string | null
    /** The actor's name at the time. */
    name: string | null
  } | null
  /** Why the authorization does not work. Null: it works. */
  failure: string | null
}

/** The body that creates an authorization for an MCP server. */
export interface McpAuthorizationInput {
  /** The address of the MCP server, exactly as agents name it. */
  serverUrl: string
  /** The client id at the issuer. Null: the service registers itself. */
  clientId?: string | null | undefined
  /** The scopes to request, separated by spaces. Null: those that the server asks for. */
  scope?: string | null | undefined
  /** The client secret at the issuer, if it issued one. Write-only. */
  clientSecret?: string | null | undefined
}

/** How to ask for consent. */
export interface McpConsentStart {
  /**
   * The redirect address of a program on the same machine that waits for the code. Null: the service receives
   * the code itself.
   */
  redirectUri?: string | null | undefined
}

/** A pending consent. It expires after ten minutes. */
export interface McpConsent {
  /** The address for the browser. Null: the server or its issuer failed. */
  authorizationUrl: string | null
  /** What to do next, or what failed. */
  detail: string
}

/** The parameters of the redirect from the issuer. */
export interface McpConsentAnswer {
  /** The `state` of the redirect. */
  state: string
  /** The `code` of the redirect. */
  code: string
  /** The `iss` of the redirect, if it has one. */
  issuer?: string | null | undefined
}

/** The result of a consent. */
export interface McpConsentOutcome {
  /** Whether agents can use the server now. */
  isAuthorized: boolean
  /** A description of the result. */
  detail: string
}
