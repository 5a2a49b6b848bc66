import { isIP } from 'node:net'
import { mcpScopes, parseUrl } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../../domain/caller-scope.js'
import { DomainError } from '../../../domain/domain-error.js'
import { authenticateToken, type GoodToken, isUseNew } from '../../../domain/mcp-grants/authenticate-token.js'
import { accessTokenForm } from '../../../domain/mcp-grants/grant-tokens.js'
import { hashToken } from '../../../domain/new-id.js'
import { unauthenticated } from '../../../ports/database.js'
import { recordRefusal } from '../answer/record-refusal.js'
import { type Services, setCaller } from '../services.js'
import { requesterOf } from './admit-person.js'
import { isLoopbackName, ownOrigins } from './own-origin.js'
import {
  addressCaller,
  countAttempt,
  countForOrganization,
  countRequest,
  RecentEntries,
  revertAttempt,
} from './rate-limit.js'
import { callerFor, type KeyRequirement, type KeyUseNote, presentedKey } from './require-key.js'

/** The operation in audit records about rejected MCP clients. */
const mcpCall = { operationId: 'mcp', tag: 'Mcp' } as const

export interface McpAdmissionParts {
  readonly requireKey: KeyRequirement
  readonly noteKeyUse: KeyUseNote
}

/**
 * Authenticates MCP clients. They send one credential as a bearer token: an API key, or an access token that
 * a person approved. Both determine the organization. Cookies are ignored, because an MCP client is not one
 * of our pages.
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

/** Tells the client where to get a token. */
function challenge(publicUrl: string, isPresented: boolean): string {
  const error = isPresented ? 'error="invalid_token", ' : ''
  return `Bearer ${error}resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp", scope="${mcpScopes.join(' ')}"`
}

function bearerOf({ headers }: FastifyRequest): string | null {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null
}

/** The X-Org-Id header is optional, but it must be correct if it is sent. */
function organizationRefusal(
  { organizationId: own }: Pick<Caller, 'organizationId'>,
  { headers }: FastifyRequest,
): string | null {
  const organizationId = headers['x-org-id']
  if (organizationId === undefined) return null
  const isOwn = typeof organizationId === 'string' && organizationId.toLowerCase() === own
  return isOwn ? null : 'The key or token does not belong to the organization in X-Org-Id.'
}

/**
 * For this time after its last use, a token is checked without counting as a failed attempt. It is still
 * looked up for every request.
 */
const inUse = { forMilliseconds: 10 * 60_000, maxEntries: 10_000 } as const

export type TokenRequirement = (
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
) => Promise<GoodToken>

const isAccessToken = (text: string) => accessTokenForm.test(text)

/**
 * Finds the grant of an access token, or rejects it. Failed attempts count per IP address, like those with
 * API keys.
 */
function makeTokenRequirement(services: Services): TokenRequirement {
  const { clock, database, clientAddress } = services
  const tokensInUse = new RecentEntries(clock, inUse)
  const { stores } = database.ownedBy({ organizationId: unauthenticated, kind: 'call' })

  return async (request, reply, token) => {
    const hash = hashToken(token)
    const countsAsAttempt = !tokensInUse.has(hash)
    if (countsAsAttempt) await countAttempt(services, request, reply)
    const requester = requesterOf(services, request)
    const good = await authenticateToken(clock, (each) => stores.mcpGrants.findAccess(each), {
      token,
      requester,
    })
    if (good === null) {
      tokensInUse.forget(hash)
      await countRequest(services, reply, addressCaller(clientAddress(request.raw)))
      throw new DomainError('Unauthenticated', 'The access token is unknown, expired or revoked.')
    }
    tokensInUse.note(hash)
    if (countsAsAttempt) await revertAttempt(services, request)
    if (isUseNew(clock, good.found))
      stores.mcpGrants
        .touch(good.found.grant.id, clock.now().toISOString())
        .catch((error) => request.log.warn({ err: error }, 'failed to record the use of a token'))
    return good
  }
}

/**
 * Returns why a request may be a DNS rebinding attack, or null. In such an attack, a page of another site
 * makes its visitor's browser call a service on the visitor's machine, through a name that temporarily
 * resolves to that machine. The page cannot choose the Origin and Host headers. If the service has a public
 * address, its proxies must check the Host.
 */
function rebindingRefusal({ headers }: Pick<FastifyRequest, 'headers'>, publicUrl: string): string | null {
  const { origin, host = '' } = headers
  if (origin !== undefined && !ownOrigins(publicUrl).includes(origin))
    return `Origin ${origin} is not allowed. If this is the address of the service, set PARLEY_PUBLIC_URL to it.`
  const own = new URL(publicUrl).hostname
  if (!isLoopbackName(own)) return null
  const called = parseUrl(`http://${host}`)?.hostname ?? ''
  const isOwn = called === own || isLoopbackName(called) || isIP(called.replaceAll(/^\[|\]$/g, '')) !== 0
  return isOwn
    ? null
    : `Host ${host} is not allowed. If this is the address of the service, set PARLEY_PUBLIC_URL to it.`
}
