import type {
  McpAuthorization,
  McpAuthorizationInput,
  McpAuthorizationListQuery,
  Page,
} from '@parley/contract'
import type { McpAuthorizationRecord } from '../../ports/agent-stores.js'
import type { Stores } from '../../ports/database.js'
import type { Outbound } from '../../ports/outbound.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError, invalidRequest } from '../domain-error.js'
import { listResources, newResource, readResource, removeResource } from '../resources/resource.js'
import { inTransaction, type McpConsentDependencies, makeMcpConsents, noStart } from './mcp-consent.js'
import { openGrant, sealClientSecret } from './sealed-tokens.js'

const type = 'McpAuthorization'
/** The maximum number of authorizations of one organization. */
const maxAuthorizations = 200

export interface McpAuthorizationsDependencies extends McpConsentDependencies {
  readonly outbound: Outbound
}

export type McpAuthorizations = ReturnType<typeof makeMcpAuthorizations>

/**
 * Manages an organization's authorizations for MCP servers that use OAuth. A member of the organization
 * consents to each of them.
 */
export function makeMcpAuthorizations(dependencies: McpAuthorizationsDependencies) {
  const { database, clock, cipher, outbound, oauth } = dependencies
  const kind = { type, clock, store: (stores: Stores) => stores.mcpAuthorizations }
  const transaction = inTransaction(database)

  return {
    ...makeMcpConsents(dependencies),

    async list(scope: CallerScope, query: McpAuthorizationListQuery): Promise<Page<McpAuthorization>> {
      const page = await listResources(kind, scope, { query, filter: {} })
      return { ...page, items: page.items.map(present) }
    },

    read: async (scope: CallerScope, id: string) => present(await readResource(kind, scope, id)),

    async create(scope: CallerScope, input: McpAuthorizationInput): Promise<McpAuthorization> {
      const { stores, caller } = scope
      const { serverUrl, clientSecret, ...fields } = input
      const refusal = outbound.explainRefusal(serverUrl)
      if (refusal !== null)
        throw invalidRequest([{ path: 'serverUrl', message: `is not allowed: ${refusal}` }])
      await requireRoom(scope)
      const resource = newResource(clock, caller.organizationId)
      const record: McpAuthorizationRecord = {
        ...resource,
        ...fields,
        serverUrl,
        sealedClientSecret: sealClientSecret(cipher, resource, clientSecret),
        state: 'new',
        issuer: null,
        expiresAt: null,
        authorizedBy: null,
        failure: null,
        ...noStart,
        sealedGrant: null,
        renewingUntil: null,
      }
      await stores.mcpAuthorizations.insert(record)
      const { id } = record
      const details = { serverUrl }
      await recordChange(clock, scope, { action: 'mcp_authorization.create', type, id, details })
      return present(record)
    },

    async remove(scope: CallerScope, id: string): Promise<undefined> {
      const removed = await transaction(scope, async (within) => {
        const record = await removeResource(kind, within, { id, ifMatch: null })
        const details = { serverUrl: record.serverUrl }
        await recordChange(clock, within, { action: 'mcp_authorization.delete', type, id, details })
        return record
      })
      const grant = openGrant(cipher, removed)
      if (grant !== null) await oauth.revoke(grant.memory, grant.refreshToken ?? grant.accessToken)
    },
  }
}

async function requireRoom({ stores, caller }: CallerScope): Promise<void> {
  const page = { offset: 0, limit: 1 }
  const { totalCount } = await stores.mcpAuthorizations.list(caller.organizationId, {}, page)
  if (totalCount >= maxAuthorizations)
    throw new DomainError(
      'Conflict',
      `The organization has reached the maximum of ${totalCount} authorizations. Delete some first.`,
    )
}

function present(record: McpAuthorizationRecord): McpAuthorization {
  return { ...record, hasClientSecret: record.sealedClientSecret !== null }
}
