import type { FastifyReply, FastifyRequest } from 'fastify'
import { singleFlight } from '../../../concurrency/single-flight.js'
import { DomainError } from '../../../domain/domain-error.js'
import { hashToken } from '../../../domain/new-id.js'
import { openBrowser, type Requester } from '../../../domain/people/person-scope.js'
import { findSession } from '../../../domain/people/person-sessions.js'
import type { FoundSession } from '../../../ports/person-store.js'
import type { Services } from '../services.js'
import { countGuess, takeBackGuess } from './guesses.js'
import { addressCaller, countRequest } from './rate-limit.js'
import { RecentEntries } from './recent-entries.js'

/** A session in use is taken for good so long before it counts as a guess again. It is looked up all the same. */
const inUse = { forMilliseconds: 10 * 60_000, maxEntries: 10_000 } as const

export type SessionRequirement = (
  request: FastifyRequest,
  reply: FastifyReply,
  presented: { readonly token: string; readonly organizationId: string | null },
) => Promise<FoundSession>

/**
 * Finds the session of a request with whose it is and what they are in the organization, or refuses it. Those that
 * nobody has seen at work count by address before the database is asked, as keys do.
 */
export function makeSessionRequirement(services: Services): SessionRequirement {
  const { clock, database, clientAddress } = services
  const sessionsInUse = new RecentEntries(clock, inUse)
  const read = singleFlight((wanted: string) => {
    const [tokenHash = '', organizationId] = wanted.split(' ')
    return database.stores.people.findSession(tokenHash, organizationId || null)
  })

  return async (request, reply, { token, organizationId }) => {
    const tokenHash = hashToken(token)
    const isGuess = !sessionsInUse.has(tokenHash)
    if (isGuess) await countGuess(services, request, reply)
    const found = await findSession(clock, () => read(`${tokenHash} ${organizationId ?? ''}`), token)
    if (found === null) {
      sessionsInUse.forget(tokenHash)
      await countRequest(services, reply, addressCaller(clientAddress(request.raw)))
      request.log.info({ ip: clientAddress(request.raw) }, 'session refused')
      throw new DomainError(
        'Unauthenticated',
        'Nobody is signed in with this session any more. Sign in again.',
      )
    }
    sessionsInUse.note(tokenHash)
    if (isGuess) await takeBackGuess(services, request)
    return found
  }
}

/** Where a request comes from. */
export function requesterOf({ clientAddress }: Services, request: FastifyRequest): Requester {
  return {
    ipAddress: clientAddress(request.raw),
    userAgent: request.headers['user-agent'] ?? null,
    requestId: request.id,
    browser: null,
  }
}

/** The same for a request that may sign in, with the people who have signed in from this browser. */
export function visitorOf(services: Services, request: FastifyRequest): Requester {
  const browser = openBrowser(services.cipher, services.browserCookie.read(request))
  return { ...requesterOf(services, request), browser }
}
