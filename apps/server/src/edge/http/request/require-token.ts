import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain/domain-error.js'
import { authenticateToken, type GoodToken, isUseNew } from '../../../domain/mcp-grants/authenticate-token.js'
import { accessTokenForm } from '../../../domain/mcp-grants/grant-tokens.js'
import { hashToken } from '../../../domain/new-id.js'
import { unauthenticated } from '../../../ports/database.js'
import type { Services } from '../services.js'
import { countGuess, takeBackGuess } from './guesses.js'
import { addressCaller, countRequest } from './rate-limit.js'
import { RecentEntries } from './recent-entries.js'
import { requesterOf } from './require-session.js'

/** A token in use is taken for good so long before it counts as a guess again. It is looked up all the same. */
const inUse = { forMilliseconds: 10 * 60_000, maxEntries: 10_000 } as const

export type TokenRequirement = (
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
) => Promise<GoodToken>

export const isAccessToken = (text: string) => accessTokenForm.test(text)

/** Finds whom an access token lets in, or refuses it. Guesses count by address, as those of keys do. */
export function makeTokenRequirement(services: Services): TokenRequirement {
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
