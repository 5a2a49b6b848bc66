// Generated from the contract by `npm run generate`. Do not edit.

import type { Page } from '../../rest/page.js'

/** One page of a list of `McpAuthorization` objects. */
export type McpAuthorizationPage = Page<McpAuthorization>

/** An authorization to use an MCP server that requires OAuth. Its tokens are never returned. */
export interface McpAuthorization {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The URL of the MCP server. It must match the server URL in the tools of your agents exactly. */
  serverUrl: string
  /** The client ID at the authorization server. If `null`, the service registers itself as a client. */
  clientId: string | null
  /**
   * The scopes to request, separated by spaces. If `null`, the service requests the scopes that the MCP server
   * advertises.
   */
  scope: string | null
  /** Whether a client secret is stored. The secret itself is never returned. */
  hasClientSecret: boolean
  /**
   * The state of the authorization. `new`: consent has not been given yet. `authorized`: agents can use the
   * server. `expired`: consent must be given again.
   */
  state: 'new' | 'authorized' | 'expired'
  /** The authorization server that issues the tokens. `null` if it has not been discovered yet. */
  issuer: string | null
  /** When the access token expires (UTC). If possible, the service refreshes the token before it expires. */
  expiresAt: string | null
  /** The user who gave consent. `null` if consent has not been given yet. */
  authorizedBy: {
    /**
     * The type of the actor: an API key (`api_key`), a signed-in user (`person`), the client of a realtime
     * session (`session`), an agent (`agent`), the service itself (`system`), or someone using the `parley`
     * command (`operator`).
     */
    type: 'api_key' | 'person' | 'session' | 'agent' | 'system' | 'operator'
    /** The ID of the actor. `null` if it has none. */
    id: string | null
    /** The name of the actor at the time of the action. `null` if it has none. */
    name: string | null
  } | null
  /** Why the authorization does not work. `null` if it works. */
  failure: string | null
}

/** The parameters for creating an authorization for an MCP server. */
export interface McpAuthorizationInput {
  /** The URL of the MCP server. It must match the server URL in the tools of your agents exactly. */
  serverUrl: string
  /** The client ID at the authorization server. If `null`, the service registers itself as a client. */
  clientId?: string | null | undefined
  /**
   * The scopes to request, separated by spaces. If `null`, the service requests the scopes that the MCP server
   * advertises.
   */
  scope?: string | null | undefined
  /** The client secret, if the authorization server issued one. Write-only. */
  clientSecret?: string | null | undefined
}

/** The parameters for requesting consent. */
export interface McpConsentStart {
  /**
   * The redirect URI of a local program that receives the authorization code, for example
   * `http://127.0.0.1:8976/callback`. If `null`, the authorization server redirects to the service.
   */
  redirectUri?: string | null | undefined
}

/** A pending consent request. It expires after ten minutes. */
export interface McpConsent {
  /** The URL to open in the browser. `null` if the MCP server or its authorization server failed. */
  authorizationUrl: string | null
  /** A description of the next step, or of the failure. */
  detail: string
}

/** The parameters of the redirect from the authorization server. */
export interface McpConsentAnswer {
  /** The `state` parameter of the redirect. */
  state: string
  /** The `code` parameter of the redirect. */
  code: string
  /** The `iss` parameter of the redirect. `null` if the redirect has none. */
  issuer?: string | null | undefined
}

/** The result of a consent request. */
export interface McpConsentOutcome {
  /** Whether agents can now use the server. */
  isAuthorized: boolean
  /** A description of the result. */
  detail: string
}
