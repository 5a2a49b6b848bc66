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
  countForOrganization,
  countGuess,
  countRequest,
  RecentEntries,
  takeBackGuess,
} from './rate-limit.js'
import { callerFor, type KeyRequirement, type KeyUseNote, presentedKey } from './require-key.js'

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

/** A token in use is taken for good so long before it counts as a guess again. It is looked up all the same. */
const inUse = { forMilliseconds: 10 * 60_000, maxEntries: 10_000 } as const

export type TokenRequirement = (
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
) => Promise<GoodToken>

const isAccessToken = (text: string) => accessTokenForm.test(text)

/** Finds whom an access token lets in, or refuses it. Guesses count by address, as those of keys do. */
function makeTokenRequirement(services: Services): TokenRequirement {
  const { clock, database, clientAddress } = services
  const tokensInUse = new RecentEntries(clock, inUse)
  const { stores } = database.ownedBy({ organizationId: unauthenticated, kind: 'call' })

  return async (request, reply, token) => {
    const hash = hashToken(token)
    const isGuess = !tokensInUse.has(hash)
    if (isGuess) await countGuess(services, request, reply)
    const requester = requesterOf(services, request)
    const good = await authenticateToken(clock, (each) => stores.mcpGrants.findAccess(each), {
      token,
      requester,
    })
    if (good === null) {
      tokensInUse.forget(hash)
      await countRequest(services, reply, addressCaller(clientAddress(request.raw)))
      throw new DomainError('Unauthenticated', 'The token is not known, has expired or was revoked.')
    }
    tokensInUse.note(hash)
    if (isGuess) await takeBackGuess(services, request)
    if (isUseNew(clock, good.found))
      stores.mcpGrants
        .touch(good.found.grant.id, clock.now().toISOString())
        .catch((error) => request.log.warn({ err: error }, 'use of a token not noted'))
    return good
  }
}

/**
 * Why a request is not taken for one that was sent here on purpose; null where it is. A page of another site can make
 * its visitor's browser call a service on the visitor's own machine, by a name that leads there for the moment (DNS
 * rebinding). It cannot choose what the browser says in Origin and Host. Where the service is reached from elsewhere, the
 * Host is the business of the proxies before it.
 */
function rebindingRefusal({ headers }: Pick<FastifyRequest, 'headers'>, publicUrl: string): string | null {
  const { origin, host = '' } = headers
  if (origin !== undefined && !ownOrigins(publicUrl).includes(origin))
    return `Pages of ${origin} cannot call this. PARLEY_PUBLIC_URL says where the service is.`
  const own = new URL(publicUrl).hostname
  if (!isLoopbackName(own)) return null
  const called = parseUrl(`http://${host}`)?.hostname ?? ''
  const isOwn = called === own || isLoopbackName(called) || isIP(called.replaceAll(/^\[|\]$/g, '')) !== 0
  return isOwn ? null : `This service is not ${host}. PARLEY_PUBLIC_URL says where it is.`
}
