import {
  type McpAccessRequest,
  type McpDecision,
  type McpGrant,
  type McpGrantListQuery,
  type Page,
  type PresentedMcpRequest,
  parseUrl,
  roleScopes,
} from '@parley/contract'
import { v7 as uuid } from 'uuid'
import type { Database } from '../../ports/database.js'
import type { GrantOwner, McpGrantRecord } from '../../ports/people-stores.js'
import type { Cipher } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError, invalidRequest, notFound } from '../domain-error.js'
import { generateToken, hashToken } from '../new-id.js'
import { type PersonScope, personCaller } from '../people/person-scope.js'
import { readPage } from '../resources/resource.js'
import { checkRequest, coveredScopes } from './access-request.js'
import { redirectTarget } from './oauth-client.js'
import { OAuthRefusal } from './oauth-refusal.js'

const type = 'McpGrant'
const codeMilliseconds = 60_000
/** Includes grants whose code can still be redeemed. */
const maxGrantsOfPerson = 100
/** How long an unused grant is valid. */
export const grantMilliseconds = 30 * 24 * 60 * 60_000

export interface McpGrantsDependencies {
  readonly database: Pick<Database, 'transaction'>
  readonly clock: Clock
  readonly cipher: Cipher
  /** Returns this service's address, which is the OAuth issuer. */
  readonly publicUrl: () => string
  /** Returns the resource that the tokens are valid for. */
  readonly resource: () => string
}

export type McpGrants = ReturnType<typeof makeMcpGrants>

/** Manages the grants through which MCP clients act on behalf of people. */
export function makeMcpGrants({ clock, cipher, publicUrl, resource }: McpGrantsDependencies) {
  const check = (request: McpAccessRequest) => {
    try {
      return checkRequest(cipher, resource(), request)
    } catch (error) {
      if (error instanceof OAuthRefusal) throw invalidRequest([{ path: 'request', message: error.message }])
      throw error
    }
  }

  async function list(scope: Pick<PersonScope, 'stores'>, owner: GrantOwner, query: McpGrantListQuery) {
    const now = clock.now().toISOString()
    return readPage(query, (page) => scope.stores.mcpGrants.list(owner, now, page))
  }

  return {
    async present(_scope: PersonScope, request: McpAccessRequest): Promise<PresentedMcpRequest> {
      const { client, scopes } = check(request)
      const url = parseUrl(request.redirectUri)
      const redirectHost = url === null ? '' : redirectTarget(url)
      return { clientName: client.clientName, redirectHost, scopes: [...scopes] }
    },

    /** Returns the client's redirect URL with a code, or with an error if the person denied access. */
    async decide(
      { stores, person, requester }: PersonScope,
      { request, organizationId, decision }: McpDecision,
    ): Promise<{ readonly redirectUrl: string }> {
      const { client, scopes: wanted } = check(request)
      const back = (fields: Readonly<Record<string, string>>) => ({
        redirectUrl: withQuery(request.redirectUri, {
          ...fields,
          ...(request.state !== null && { state: request.state }),
          iss: publicUrl(),
        }),
      })
      if (decision === 'deny') return back({ error: 'access_denied' })
      const memberships = await stores.members.ofPerson(person.id)
      const membership = memberships.find((each) => each.organizationId === organizationId)
      if (membership === undefined)
        throw new DomainError('Forbidden', 'You are not a member of this organization.')
      const scopes = coveredScopes(wanted, roleScopes[membership.role])
      if (scopes.length === 0)
        throw new DomainError('Forbidden', 'Your role has none of the scopes that the client requests.')
      const code = generateToken()
      const now = clock.now()
      const codeExpiresAt = after(now, codeMilliseconds)
      const grant: McpGrantRecord = {
        id: uuid(),
        organizationId,
        personId: person.id,
        createdAt: now.toISOString(),
        clientName: client.clientName,
        clientHash: hashToken(request.clientId),
        redirectUri: request.redirectUri,
        scopes,
        lastUsedAt: null,
        // Redeeming the code extends the grant.
        expiresAt: codeExpiresAt,
        codeHash: hashToken(code),
        codeChallenge: request.codeChallenge,
        codeExpiresAt,
        codeUsedAt: null,
      }
      // The lock serializes the decisions of one person, so that the count is exact.
      await stores.people.findLocked(person.id)
      await stores.mcpGrants.removeExpired(grant, now.toISOString())
      if ((await stores.mcpGrants.countOf(person.id)) >= maxGrantsOfPerson)
        throw new DomainError(
          'Conflict',
          `You have reached the maximum of ${maxGrantsOfPerson} MCP clients. Remove one in Account settings.`,
        )
      await stores.mcpGrants.insert(grant)
      const caller = personCaller({ person, requester }, { organizationId, role: membership.role, scopes })
      const { id, clientName, redirectUri } = grant
      const details = { client: clientName, redirectUri, scopes }
      await recordChange(clock, { stores, caller }, { action: 'mcp_grant.create', type, id, details })
      return back({ code })
    },

    listOwn: (scope: PersonScope, query: McpGrantListQuery): Promise<Page<McpGrant>> =>
      list(scope, { personId: scope.person.id }, query),

    async removeOwn({ stores, person, requester }: PersonScope, id: string): Promise<undefined> {
      const removed = await stores.mcpGrants.remove({ personId: person.id }, id)
      if (removed === null) throw notFound('grant')
      const { organizationId, clientName: client } = removed
      const caller = personCaller({ person, requester }, { organizationId, role: null, scopes: [] })
      await recordChange(
        clock,
        { stores, caller },
        { action: 'mcp_grant.delete', type, id, details: { client } },
      )
    },

    listOf: (scope: CallerScope, query: McpGrantListQuery): Promise<Page<McpGrant>> =>
      list(scope, { organizationId: scope.caller.organizationId }, query),

    async removeOf(scope: CallerScope, id: string): Promise<undefined> {
      const { organizationId } = scope.caller
      const removed = await scope.stores.mcpGrants.remove({ organizationId }, id)
      if (removed === null) throw notFound('grant')
      const details = { client: removed.clientName, personId: removed.personId }
      await recordChange(clock, scope, { action: 'mcp_grant.delete', type, id, details })
    },
  }
}

export const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString()

/**
 * Adds these fields to the query of an address. Addresses with app schemes may have no path, so the address
 * is edited as text.
 */
export function withQuery(address: string, fields: Readonly<Record<string, string>>): string {
  const separator = address.includes('?') ? '&' : '?'
  return `${address}${separator}${new URLSearchParams(fields)}`
}
