import { mcpScopes } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../../domain/caller-scope.js'
import { DomainError } from '../../../domain/domain-error.js'
import { recordRefusal } from '../answer/record-refusal.js'
import { type Services, setCaller } from '../services.js'
import type { KeyUseNote } from './key-use-note.js'
import { rebindingRefusal } from './own-host.js'
import { addressCaller, countForOrganization, countRequest } from './rate-limit.js'
import { callerFor, type KeyRequirement, presentedKey } from './require-key.js'
import { isAccessToken, makeTokenRequirement } from './require-token.js'

/** What audit records call a call of an MCP client that was let in nowhere. */
const mcpCall = { operationId: 'mcp', tag: 'Mcp' } as const

export interface McpAdmissionParts {
  readonly requireKey: KeyRequirement
  readonly noteKeyUse: KeyUseNote
}

/**
 * Authenticates MCP clients. They have one field for a credential and send it as a bearer token: a key, or a token that a
 * person has consented to. The organization is the one of either. Cookies count for nothing here: a client is no page of
 * ours.
 */
export function makeMcpAdmission(services: Services, { requireKey, noteKeyUse }: McpAdmissionParts) {
  const requireToken = makeTokenRequirement(services)

  async function admitToken(request: FastifyRequest, reply: FastifyReply, token: string): Promise<Caller> {
    const { caller, found } = await requireToken(request, reply, token)
    await countRequest(services, reply, `person:${found.person.id}`)
    await countForOrganization(services, reply, caller.organizationId)
    const refusal = organizationRefusal(caller, request)
    if (refusal !== null) throw new DomainError('Forbidden', refusal)
    return caller
  }

  async function admitKey(request: FastifyRequest, reply: FastifyReply, text: string): Promise<Caller> {
    const key = await requireKey(request, reply, { text, header: 'Authorization', operation: mcpCall })
    await countRequest(services, reply, `key:${key.id}`)
    await countForOrganization(services, reply, key.organizationId)
    const caller = { ...callerFor(services, key, request), channel: 'mcp' } as const
    const refusal = organizationRefusal(key, request)
    if (refusal !== null) {
      await recordRefusal(services, caller, { operation: mcpCall, detail: refusal })
      throw new DomainError('Forbidden', refusal)
    }
    noteKeyUse(key, request)
    return caller
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const rebinding = rebindingRefusal(request, services.publicUrl())
    if (rebinding !== null) {
      await countRequest(services, reply, addressCaller(services.clientAddress(request.raw)))
      throw new DomainError('Forbidden', rebinding)
    }
    const presented = bearerOf(request) ?? presentedKey(request)
    try {
      const admit = isAccessToken(presented) ? admitToken : admitKey
      setCaller(request, await admit(request, reply, presented))
    } catch (error) {
      if (error instanceof DomainError && error.code === 'Unauthenticated')
        reply.header('www-authenticate', challenge(services.publicUrl(), presented !== ''))
      throw error
    }
  }
}

/** Where a client finds out how to get a token. */
function challenge(publicUrl: string, isPresented: boolean): string {
  const error = isPresented ? 'error="invalid_token", ' : ''
  return `Bearer ${error}resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp", scope="${mcpScopes.join(' ')}"`
}

function bearerOf({ headers }: FastifyRequest): string | null {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null
}

/** It need not be named, but where it is, it must be the right one. */
function organizationRefusal(
  { organizationId: own }: Pick<Caller, 'organizationId'>,
  { headers }: FastifyRequest,
): string | null {
  const organizationId = headers['x-org-id']
  if (organizationId === undefined) return null
  const isOwn = typeof organizationId === 'string' && organizationId.toLowerCase() === own
  return isOwn ? null : 'The key or token does not belong to the organization in X-Org-Id.'
}
