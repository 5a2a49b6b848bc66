import {
  type MePatch,
  type PasswordChange,
  roleScopes,
  type SignedIn,
  type SignIn,
  type TotpSetup,
} from '@parley/contract'
import type { PersonRecord } from '../../ports/people-stores.js'
import { DomainError } from '../domain-error.js'
import type { Limits } from '../limits/organization-limits.js'
import {
  type CredentialDependencies,
  type PresentedCredentials,
  type TriesCounters,
  triesOfAddress,
  triesOfBrowser,
  triesOfSession,
  withCredentials,
} from './check-credentials.js'
import {
  hashNewPassword,
  hashRecoveryCode,
  makeRecoveryCodes,
  requireOwnPassword,
  totpContext,
} from './password-rules.js'
import { isKnownTo, type PersonScope, type Requester, recordForPerson, sealBrowser } from './person-scope.js'
import {
  beginSession,
  describeSession,
  endOtherSessions,
  endSession,
  listSessions,
  type SessionDependencies,
  type SessionSettings,
} from './person-sessions.js'

export interface PeopleDependencies extends CredentialDependencies {
  readonly limits: Limits
  readonly settings: SessionSettings
}

/** A person who has just signed in, and the session token for the browser. */
export interface NewSession {
  readonly signedIn: SignedIn
  readonly token: string
  /** The sealed cookie of a known browser. Null if the current cookie stays valid. */
  readonly browser: string | null
}

export function makeMe(dependencies: PeopleDependencies) {
  const { clock, cipher, database, passwords, oneTimeCodes } = dependencies

  /** Updates the person's row under its lock. */
  async function change(
    { stores, person }: PersonScope,
    make: (current: PersonRecord) => Partial<PersonRecord>,
  ): Promise<PersonRecord> {
    const current = await stores.people.findLocked(person.id)
    if (current === null) throw new DomainError('Unauthenticated', 'This account was deleted.')
    const changed = { ...current, ...make(current), updatedAt: clock.now().toISOString() }
    await stores.people.update(changed)
    return changed
  }

  return {
    async signIn(requester: Requester, { email, password, code }: SignIn): Promise<NewSession> {
      const accounts = await database.stores.people.findByAddress(email)
      const counters = countersAt(email, accounts, requester)
      const presented = { accounts, password, secondFactor: { code }, counters, requester }
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
        sibling: siblingOf(person, await database.stores.people.findByAddress(person.email)),
      })
      await withCredentials(dependencies, ownCredentials(scope, current), async (stores, known) => {
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
     * Stores a pending secret until the person sends a code from the authenticator. Requires the password, so
     * that someone with access to an unlocked computer cannot lock the person out.
     */
    async beginTotp(scope: Omit<PersonScope, 'stores'>, password: string): Promise<TotpSetup> {
      requireOwnPassword(scope.person)
      return withCredentials(dependencies, ownCredentials(scope, password), async (stores, known) => {
        if (known.sealedTotp !== null)
          throw new DomainError(
            'Conflict',
            'A second factor is already enabled. Disable it before you set up another.',
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
          throw new DomainError(
            'Conflict',
            'There is no pending second factor to confirm. Start with POST /api/v1/Me/totp.',
          )
        const step = oneTimeCodes.stepOf(cipher.open(pendingTotp, totpContext(current)), code, clock.now())
        if (step === null)
          throw new DomainError(
            'SecondFactorRequired',
            'The code is wrong. Check the clock of your device, and send the next code.',
          )
        const recoveryHashes = recoveryCodes.map(hashRecoveryCode)
        return { sealedTotp: pendingTotp, pendingTotp: null, lastTotpStep: step, recoveryHashes }
      })
      const endedSessions = await endOtherSessions(scope.stores, person, scope.session)
      await recordForPerson(clock, scope, { action: 'person.totp_on', details: { endedSessions } })
      return { recoveryCodes }
    },

    async removeTotp(scope: Omit<PersonScope, 'stores'>, password: string): Promise<undefined> {
      requireOwnPassword(scope.person)
      await withCredentials(dependencies, ownCredentials(scope, password), async (stores, known) => {
        const none = { sealedTotp: null, pendingTotp: null, lastTotpStep: null, recoveryHashes: [] }
        await stores.people.update({ ...known, ...none, updatedAt: clock.now().toISOString() })
        await recordForPerson(clock, { ...scope, stores }, { action: 'person.totp_off' })
      })
    },
  }
}

/**
 * Returns the counter of failed attempts for an address, or the separate counter of a browser in which the
 * person has signed in before.
 */
export function countersAt(
  email: string,
  accounts: readonly PersonRecord[],
  { browser }: Requester,
): TriesCounters {
  const known = browser && accounts.find((account) => isKnownTo(browser, account))
  return {
    address: triesOfAddress(email),
    own: browser && known ? triesOfBrowser(known.id, browser.id) : null,
    isShared: accounts.length > 1,
  }
}

/**
 * Returns the credentials to check for a person who is signed in. Failed attempts of other people at the same
 * address do not count here.
 */
function ownCredentials(
  { person, session, requester }: Omit<PersonScope, 'stores'>,
  password: string,
): PresentedCredentials {
  const counters = { address: null, own: triesOfSession(session), isShared: false }
  return { accounts: [person], password, counters, requester }
}

/** Returns the password hash of another account with this address, or null if there is none. */
export function siblingOf(
  person: Pick<PersonRecord, 'id'> | null,
  accounts: readonly PersonRecord[],
): string | null {
  const others = accounts.filter(({ id, passwordHash }) => id !== person?.id && passwordHash !== null)
  return others[0]?.passwordHash ?? null
}

/** Begins a session for an authenticated person, and records how the person signed in. */
export async function signInPerson(
  { clock, cipher, settings }: SessionDependencies & Pick<PeopleDependencies, 'cipher'>,
  scope: Omit<PersonScope, 'session'>,
  by: { readonly issuer?: string } = {},
): Promise<NewSession> {
  const { session, token } = await beginSession({ clock, settings }, scope)
  const details = { sessionId: session.id, ...by }
  await recordForPerson(clock, scope, { action: 'person.sign_in', details })
  const browser = sealBrowser(cipher, scope.requester.browser, scope.person)
  return { token, browser, signedIn: await describeMe({ ...scope, session }) }
}

function wrongCodesOf({
  wrongCodes: count,
  wrongCodesSince: since,
}: PersonScope['session']): SignedIn['wrongCodes'] {
  return count === 0 || since === null ? null : { count, since }
}

export async function describeMe({ stores, person, session }: PersonScope): Promise<SignedIn> {
  const { id, createdAt, updatedAt, email, name, passwordHash, sealedTotp, recoveryHashes } = person
  const memberships = await stores.members.ofPerson(id)
  return {
    person: {
      id,
      createdAt,
      updatedAt,
      email,
      name,
      hasPassword: passwordHash !== null,
      hasTotp: sealedTotp !== null,
      recoveryCodesLeft: recoveryHashes.length,
    },
    organizations: memberships.map(({ id: memberId, organizationId, organizationName, role }) => ({
      id: organizationId,
      name: organizationName,
      memberId,
      role,
      scopes: [...roleScopes[role]],
    })),
    session: describeSession(session, session),
    wrongCodes: wrongCodesOf(session),
  }
}
