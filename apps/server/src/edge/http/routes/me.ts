import { personOperations } from '@parley/contract'
import type { NewSession } from '../../../domain/people/me.js'
import type { Newcomer, PersonRouter } from '../person-route.js'
import type { Services } from '../services.js'
import { requireOidc } from './oidc-callback.js'

export function registerMeRoutes(
  { read, write, act, admit }: PersonRouter,
  { people: { me, oidc, ...people }, sessionCookie, oidcCookie, browserCookie }: Services,
): void {
  const startSession = ({ token, browser, signedIn }: NewSession, { reply }: Newcomer) => {
    sessionCookie.set(reply, token)
    if (browser !== null) browserCookie.set(reply, browser)
    return signedIn
  }
  admit(personOperations.signIn, async ({ body }, newcomer) =>
    startSession(await me.signIn(newcomer.requester, body), newcomer),
  )
  admit(personOperations.getSignInWays, async (_call, { signedIn }) => ({
    password: true,
    oidc: oidc && { name: oidc.name },
    isSignedIn: signedIn !== null,
  }))
  admit(personOperations.beginOidc, async ({ body }, { requester, reply }) => {
    const { url, sealed } = await requireOidc(oidc).begin(requester, body)
    oidcCookie.set(reply, sealed)
    return { url }
  })
  admit(personOperations.findInvitation, ({ body }) => people.presentInvitation(body.token))
  admit(personOperations.acceptInvitation, async ({ body }, newcomer) =>
    startSession(await people.acceptInvitation(newcomer, body), newcomer),
  )
  write(personOperations.signOut, async (_call, scope, reply) => {
    await me.signOut(scope)
    sessionCookie.clear(reply)
    return undefined
  })
  read(personOperations.getMe, (_call, scope) => me.read(scope))
  write(personOperations.patchMe, ({ body }, scope) => me.rename(scope, body))
  act(personOperations.changeMePassword, ({ body }, scope) => me.changePassword(scope, body))
  read(personOperations.listMeSessions, ({ query }, scope) => me.listSessions(scope, query))
  write(personOperations.deleteMeSession, ({ params }, scope) => me.endSession(scope, params.personSessionId))
  act(personOperations.beginMeTotp, ({ body }, scope) => me.beginTotp(scope, body.password))
  write(personOperations.confirmMeTotp, ({ body }, scope) => me.confirmTotp(scope, body.code))
  act(personOperations.deleteMeTotp, ({ body }, scope) => me.removeTotp(scope, body.password))
}
