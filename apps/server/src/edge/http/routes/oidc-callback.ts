import { oidcCallbackPath } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain/domain-error.js'
import type { OidcSignIn } from '../../../domain/people/oidc-sign-in.js'
import type { People } from '../../../domain/people/people.js'
import { logFailure, refusalOf } from '../answer/error-reply.js'
import { visitorOf } from '../request/admit-person.js'
import { countGuess, takeBackGuess } from '../request/rate-limit.js'
import type { App, Services } from '../services.js'

/** The way in through the issuer, where the operator has named one. */
export function requireOidc(oidc: People['oidc']): OidcSignIn {
  if (oidc === null)
    throw new DomainError('NotFound', 'There is no issuer to sign in through: PARLEY_OIDC_ISSUER is not set.')
  return oidc
}

/**
 * Where the issuer sends browsers back to. It is for browsers alone, so all that it ever answers is a redirect to a page
 * of ours: another site can send somebody here, but without the cookie of whoever began it nothing happens.
 */
export function registerOidcCallbackRoute(app: App, services: Services): void {
  const { database, people, oidcCookie, browserCookie, publicUrl, sessionCookie } = services

  async function finish(request: FastifyRequest, reply: FastifyReply) {
    const requester = visitorOf(services, request)
    await countGuess(services, request, reply)
    const sealed = oidcCookie.read(request)
    const [, query = ''] = request.originalUrl.split(/\?(.*)/s)
    const signedIn = await requireOidc(people.oidc).finish(requester, { sealed, search: `?${query}` })
    await takeBackGuess(services, request)
    return signedIn
  }

  app.get(oidcCallbackPath, async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    oidcCookie.clear(reply)
    try {
      const { token, browser, returnTo } = await finish(request, reply)
      sessionCookie.set(reply, token)
      if (browser !== null) browserCookie.set(reply, browser)
      return reply.redirect(`${publicUrl()}${returnTo}`, 302)
    } catch (error) {
      const refusal = refusalOf(error instanceof Error ? error : new Error(String(error)), database)
      logFailure(request.log, refusal, error)
      return reply.redirect(`${publicUrl()}/#/sign-in?error=${refusal.code}`, 302)
    }
  })
}
