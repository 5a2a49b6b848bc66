import { isIPv6 } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Services } from '../services.js'
import { addressCaller, count } from './rate-limit.js'

/**
 * Counts a try with a key, a session or a password that may be wrong, and refuses the one too many. That one does not count:
 * it has reached nothing, and a crowd of good ones would keep others of their address out for the rest of the minute.
 */
export async function countGuess(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { headers, refusal } = await count(services, guesserOf(services, request))
  reply.headers(headers)
  if (refusal === null) return
  await takeBackGuess(services, request)
  throw refusal
}

/** To be called where it was right. */
export async function takeBackGuess(services: Services, request: FastifyRequest): Promise<void> {
  await services.rateLimiter
    .giveBack(guesserOf(services, request))
    .catch((error) => request.log.warn({ err: error }, 'a try that is none was counted as a guess'))
}

const guesserOf = ({ clientAddress }: Services, request: FastifyRequest) =>
  guessCaller(clientAddress(request.raw))

/** Whom it is counted for: of IPv6, everybody has a whole /64. */
export const guessCaller = (address: string | null) => `guess:${addressCaller(networkOf(address))}`

function networkOf(address: string | null): string | null {
  if (address === null || !isIPv6(address)) return address
  const { parts } = ipaddr.IPv6.parse(address)
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
