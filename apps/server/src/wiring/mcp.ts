import type { McpOAuthOptions } from '../adapters/mcp-oauth/mcp-oauth.js'
import {
  type McpAuthorizations,
  type McpAuthorizationsDependencies,
  makeMcpAuthorizations,
} from '../domain/mcp-authorizations/mcp-authorizations.js'
import { type McpTokens, makeMcpTokens } from '../domain/mcp-authorizations/mcp-tokens.js'
import { type GrantTokens, makeGrantTokens } from '../domain/mcp-grants/grant-tokens.js'
import { type McpGrants, makeMcpGrants } from '../domain/mcp-grants/mcp-grants.js'
import { unauthenticated } from '../ports/database.js'
import type { Log } from '../ports/log.js'
import type { McpOAuth } from '../ports/oauth.js'
import type { Timers } from '../ports/time.js'
import type { ComposedPeople } from './people.js'

export interface ComposeMcpOptions extends Omit<McpAuthorizationsDependencies, 'oauth' | 'publicUrl'> {
  readonly people: () => ComposedPeople
  readonly timers: Timers
  readonly log: Log
}

export interface ComposedMcp {
  readonly mcpAuthorizations: McpAuthorizations
  readonly mcpTokens: McpTokens
  readonly mcpGrants: McpGrants
  readonly grantTokens: GrantTokens
  readonly mcpResource: () => string
}

/** Composes OAuth in both directions: agents to MCP servers, and MCP clients to the service. */
export function composeMcp(options: ComposeMcpOptions): ComposedMcp {
  const { database, clock, cipher, outbound, people } = options
  const publicUrl = () => people().services.publicUrl()
  const oauth = loadMcpOAuth({ outbound, clientUri: publicUrl })
  const mcpResource = () => `${publicUrl()}/mcp`
  // Token requests are unauthenticated, so they queue behind authenticated requests.
  const unauthenticatedDatabase = database.ownedBy({ organizationId: unauthenticated, kind: 'call' })
  const issuing = { database: unauthenticatedDatabase, clock, cipher, publicUrl, resource: mcpResource }
  return {
    mcpGrants: makeMcpGrants(issuing),
    grantTokens: makeGrantTokens(issuing),
    mcpResource,
    mcpAuthorizations: makeMcpAuthorizations({ ...options, oauth, publicUrl }),
    mcpTokens: makeMcpTokens({ ...options, oauth }),
  }
}

/** Loads the library on first use. */
function loadMcpOAuth(options: McpOAuthOptions): McpOAuth {
  let loading: Promise<McpOAuth> | undefined
  const load = () => {
    loading ??= import('../adapters/mcp-oauth/mcp-oauth.js').then(({ makeMcpOAuth }) => makeMcpOAuth(options))
    return loading
  }
  return {
    begin: async (...args) => (await load()).begin(...args),
    complete: async (...args) => (await load()).complete(...args),
    renew: async (...args) => (await load()).renew(...args),
    revoke: async (...args) => (await load()).revoke(...args),
  }
}
