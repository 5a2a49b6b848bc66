import { oidcCallbackPath } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain/domain-error.js'
import type { OidcSignIn } from '../../../domain/people/oidc-sign-in.js'
import type { People } from '../../../domain/people/people.js'
import { logFailure, refusalOf } from '../answer/error-reply.js'
import { visitorOf } from '../request/admit-person.js'
import { countAttempt, revertAttempt } from '../request/rate-limit.js'
import type { App, Services } from '../services.js'

/** Returns the sign-in with the identity provider. Throws if none is configured. */
export function requireOidc(oidc: People['oidc']): OidcSignIn {
  if (oidc === null)
    throw new DomainError('NotFound', 'Single sign-on is not configured: PARLEY_OIDC_ISSUER is not set.')
  return oidc
}

/**
 * Registers the redirect address for the identity provider. Only browsers request it, so it always responds
 * with a redirect to a page of the service. A redirect from another site has no effect without the cookie of
 * the browser that started the sign-in.
 */
export function registerOidcCallbackRoute(app: App, services: Services): void {
  const { database, people, oidcCookie, browserCookie, publicUrl, sessionCookie } = services

  async function finish(request: FastifyRequest, reply: FastifyReply) {
    const requester = visitorOf(services, request)
    await countAttempt(services, request, reply)
    const sealed = oidcCookie.read(request)
    const [, query = ''] = request.originalUrl.split(/\?(.*)/s)
    const signedIn = await requireOidc(people.oidc).finish(requester, { sealed, search: `?${query}` })
    await revertAttempt(services, request)
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
