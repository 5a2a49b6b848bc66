import {
  type MePatch,
  type PasswordChange,
  roleScopes,
  type SignedIn,
  type SignIn,
  type TotpSetup,
} from '@parley/contract'
import type { PersonRecord } from '../../ports/person-store.js'
import { DomainError } from '../domain-error.js'
import type { Limits } from '../limits/organization-limits.js'
import { type CredentialDependencies, withCredentials } from './check-credentials.js'
import { hashNewPassword, requireOwnPassword } from './password-rules.js'
import type { PersonScope, Requester } from './person-scope.js'
import {
  beginSession,
  describeSession,
  endOtherSessions,
  endSession,
  listSessions,
  type SessionDependencies,
  type SessionSettings,
} from './person-sessions.js'
import { recordForPerson } from './record-for-person.js'
import { hashRecoveryCode, makeRecoveryCodes, totpContext } from './second-factor.js'

export interface PeopleDependencies extends CredentialDependencies {
  readonly limits: Limits
  readonly settings: SessionSettings
}

/** Who has just signed in, and the token of the session, which is shown to their browser alone. */
export interface NewSession {
  readonly signedIn: SignedIn
  readonly token: string
}

/** What people do for themselves. */
export function makeMe(dependencies: PeopleDependencies) {
  const { clock, cipher, database, passwords, oneTimeCodes } = dependencies

  /** Changes the person as they are at this moment, other calls of theirs apart. */
  async function change(
    { stores, person }: PersonScope,
    make: (current: PersonRecord) => Partial<PersonRecord>,
  ): Promise<PersonRecord> {
    const current = await stores.people.findLocked(person.id)
    if (current === null) throw new DomainError('Unauthenticated', 'There is no such person any more.')
    const changed = { ...current, ...make(current), updatedAt: clock.now().toISOString() }
    await stores.people.update(changed)
    return changed
  }

  return {
    async signIn(requester: Requester, { email, password, code }: SignIn): Promise<NewSession> {
      const person = await database.stores.people.findByEmail(email)
      const presented = { person, password, secondFactor: { code }, requester }
      return withCredentials(dependencies, presented, (stores, known) =>
        signInPerson(dependencies, { stores, person: known, requester }),
      )
    },

    signOut: (scope: PersonScope) => endSession(clock, scope, scope.session.id),

    read: describeMe,

    async rename(scope: PersonScope, { name }: MePatch): Promise<SignedIn> {
      if (name === undefined || name === scope.person.name) return describeMe(scope)
      const person = await change(scope, () => ({ name }))
      await recordForPerson(clock, scope, { action: 'person.update', details: { changed: ['name'] } })
      return describeMe({ ...scope, person })
    },

    async changePassword(scope: Omit<PersonScope, 'stores'>, { current, ...wanted }: PasswordChange) {
      const { person, session, requester } = scope
      requireOwnPassword(person)
      const passwordHash = await hashNewPassword(passwords, {
        password: wanted.new,
        email: person.email,
        path: 'new',
        requester,
      })
      const presented = { person, password: current, requester }
      await withCredentials(dependencies, presented, async (stores, known) => {
        const updatedAt = clock.now().toISOString()
        await stores.people.update({ ...known, passwordHash, updatedAt })
        const ended = await endOtherSessions(stores, known, session)
        const details = { changed: ['password'], endedSessions: ended }
        await recordForPerson(clock, { ...scope, stores }, { action: 'person.update', details })
      })
      return undefined
    },

    listSessions: (scope: PersonScope, query: Parameters<typeof listSessions>[2]) =>
      listSessions(clock, scope, query),

    endSession: (scope: PersonScope, id: string) => endSession(clock, scope, id),

    /**
     * Keeps a secret aside until a code shows that the authenticator has it. The password is asked for: whoever has
     * found an open browser must not shut its owner out.
     */
    async beginTotp(scope: Omit<PersonScope, 'stores'>, password: string): Promise<TotpSetup> {
      const { person, requester } = scope
      requireOwnPassword(person)
      return withCredentials(dependencies, { person, password, requester }, async (stores, known) => {
        if (known.sealedTotp !== null)
          throw new DomainError(
            'Conflict',
            'A second factor is on. Switch it off before you begin with another.',
          )
        const secret = oneTimeCodes.newSecret()
        const pendingTotp = cipher.seal(secret, totpContext(known))
        await stores.people.update({ ...known, pendingTotp, updatedAt: clock.now().toISOString() })
        await recordForPerson(clock, { ...scope, stores }, { action: 'person.totp_begin' })
        return { secret, uri: oneTimeCodes.uriOf(secret, known.email) }
      })
    },

    async confirmTotp(
      scope: PersonScope,
      code: string,
    ): Promise<{ readonly recoveryCodes: readonly string[] }> {
      const recoveryCodes = makeRecoveryCodes()
      const person = await change(scope, (current) => {
        const { pendingTotp } = current
        if (pendingTotp === null)
          throw new DomainError('Conflict', 'There is nothing to confirm. POST /api/v1/Me/totp begins.')
        const step = oneTimeCodes.stepOf(cipher.open(pendingTotp, totpContext(current)), code, clock.now())
        if (step === null)
          throw new DomainError(
            'SecondFactorRequired',
            'The code is not the one that the authenticator should show.',
          )
        const recoveryHashes = recoveryCodes.map(hashRecoveryCode)
        return { sealedTotp: pendingTotp, pendingTotp: null, lastTotpStep: step, recoveryHashes }
      })
      const endedSessions = await endOtherSessions(scope.stores, person, scope.session)
      await recordForPerson(clock, scope, { action: 'person.totp_on', details: { endedSessions } })
      return { recoveryCodes }
    },

    async removeTotp(scope: Omit<PersonScope, 'stores'>, password: string): Promise<undefined> {
      const { person, requester } = scope
      requireOwnPassword(person)
      await withCredentials(dependencies, { person, password, requester }, async (stores, known) => {
        const none = { sealedTotp: null, pendingTotp: null, lastTotpStep: null, recoveryHashes: [] }
        await stores.people.update({ ...known, ...none, updatedAt: clock.now().toISOString() })
        await recordForPerson(clock, { ...scope, stores }, { action: 'person.totp_off' })
      })
    },
  }
}

/** Begins a session for whoever has shown who they are, and records it with what they have shown it by. */
export async function signInPerson(
  { clock, settings }: SessionDependencies,
  scope: Omit<PersonScope, 'session'>,
  by: { readonly issuer?: string } = {},
): Promise<NewSession> {
  const { session, token } = await beginSession({ clock, settings }, scope)
  const details = { sessionId: session.id, ...by }
  await recordForPerson(clock, scope, { action: 'person.sign_in', details })
  return { token, signedIn: await describeMe({ ...scope, session }) }
}

export async function describeMe({ stores, person, session }: PersonScope): Promise<SignedIn> {
  const { id, createdAt, updatedAt, email, name, passwordHash, sealedTotp, recoveryHashes } = person
  const memberships = await stores.members.ofPerson(id)
  return {
    person: {
      ...{ id, createdAt, updatedAt, email, name },
      hasPassword: passwordHash !== null,
      hasTotp: sealedTotp !== null,
      recoveryCodesLeft: recoveryHashes.length,
    },
    organizations: memberships.map(({ id: memberId, organizationId, organizationName, role }) => ({
      ...{ id: organizationId, name: organizationName, memberId, role },
      scopes: [...roleScopes[role]],
    })),
    session: describeSession(session, session),
  }
}
