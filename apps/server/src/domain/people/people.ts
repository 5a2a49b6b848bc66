import type { InvitationAcceptance } from '@parley/contract'
import type { Database } from '../../ports/database.js'
import type { IdentityIssuer } from '../../ports/oauth.js'
import type { PersonSessionRecord } from '../../ports/people-stores.js'
import { makeAfterAnswer } from './check-credentials.js'
import { acceptInvitation, type InvitedCaller, presentInvitation } from './join-organization.js'
import { makeMe, type PeopleDependencies } from './me.js'
import { makeInvitations, makeMembers } from './members.js'
import { makeOidcSignIn, type OidcDependencies } from './oidc-sign-in.js'
import { noteSessionUse, shortenSessions } from './person-sessions.js'

export type People = ReturnType<typeof makePeople>

/** Creates the services for sign-in, own accounts, invitations and members. */
export function makePeople({
  issuer,
  ...parts
}: Omit<PeopleDependencies, 'afterAnswer'> &
  Pick<OidcDependencies, 'publicUrl' | 'log'> & { readonly issuer: IdentityIssuer | null }) {
  const afterAnswer = makeAfterAnswer(parts.log)
  const dependencies = { ...parts, afterAnswer }
  return {
    /** Settles when all rejected sign-ins are recorded. */
    recorded: () => afterAnswer.settled(),
    /** Null if the operator has not configured an identity provider. */
    oidc: issuer === null ? null : makeOidcSignIn({ ...dependencies, issuer }),
    me: makeMe(dependencies),
    members: makeMembers(dependencies),
    invitations: makeInvitations(dependencies),
    presentInvitation: (token: string) => presentInvitation(dependencies, token),
    acceptInvitation: (caller: InvitedCaller, acceptance: InvitationAcceptance) =>
      acceptInvitation(dependencies, caller, acceptance),
    noteSessionUse: (database: Pick<Database, 'stores'>, session: PersonSessionRecord) =>
      noteSessionUse(dependencies, database, session),
    shortenSessions: () => shortenSessions(dependencies, dependencies.database),
    settings: dependencies.settings,
  }
}
