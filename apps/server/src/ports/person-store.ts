import type { MemberRecord } from './member-store.js'
import type { PageRequest, RecordPage } from './resource-store.js'

export interface PersonRecord {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  /** In lower case. */
  readonly email: string
  readonly name: string
  /** Null where the person signs in through an issuer alone. */
  readonly passwordHash: string | null
  /** The second factor's secret, sealed; null where there is none. */
  readonly sealedTotp: string | null
  /** The one that was begun with and is not confirmed yet, sealed. */
  readonly pendingTotp: string | null
  /** The last step that a code was taken of: none is taken twice. */
  readonly lastTotpStep: number | null
  /** SHA-256 of the recovery codes that were not used yet, in hex. */
  readonly recoveryHashes: readonly string[]
  /** When an issuer first vouched for the address; null while only an invitation says whose it is. */
  readonly provenAt: string | null
  /** The organization whose invitation made the account; null for accounts of earlier versions without a membership. */
  readonly homeOrganizationId: string | null
  /** Wrong codes with the right password since the last sign-in, and when the first of them came. */
  readonly wrongCodes: number
  readonly wrongCodesSince: string | null
}

/** Somebody as an issuer knows them: the two together name one of its accounts, for good. */
export interface PersonIdentity {
  readonly issuer: string
  readonly subject: string
}

export interface IdentityLink {
  readonly at: string
  /** Whether the issuer vouches for the person's address. */
  readonly isVerified: boolean
}

export interface PersonSessionRecord {
  readonly id: string
  readonly personId: string
  /** SHA-256 of the token, in hex. The token itself is stored nowhere. */
  readonly tokenHash: string
  readonly createdAt: string
  readonly lastUsedAt: string
  /** When it ends unless it is used before; never later than `endsAt`. */
  readonly expiresAt: string
  /** When it ends whatever happens. */
  readonly endsAt: string
  readonly ipAddress: string | null
  readonly userAgent: string | null
  /** Wrong codes with the right password before this session began, and when the first of them came. */
  readonly wrongCodes: number
  readonly wrongCodesSince: string | null
}

export interface SessionUse extends Pick<PersonSessionRecord, 'expiresAt' | 'endsAt'> {
  readonly at: string
}

/** A session with whose it is, and what that person is in the organization that was asked for. */
export interface FoundSession {
  readonly session: PersonSessionRecord
  readonly person: PersonRecord
  readonly member: MemberRecord | null
}

/** People and where they are signed in. They belong to no organization by themselves: that is what members are. */
export interface PersonStore {
  /** The person of this id. */
  find(id: string): Promise<PersonRecord | null>
  /** The same, kept from changing until the transaction ends. */
  findLocked(id: string): Promise<PersonRecord | null>
  /** The accounts of an e-mail address, whatever the case of its letters: the proven one first, then the oldest. */
  findByAddress(email: string): Promise<readonly PersonRecord[]>
  /** The same, locked until the transaction ends. */
  findByAddressLocked(email: string): Promise<readonly PersonRecord[]>
  /** Adds a person; returns false if the address has such an account: a proven one, or one of the same organization. */
  insert(person: PersonRecord): Promise<boolean>
  /** Writes the person over the stored one, which the caller has locked. */
  update(person: PersonRecord): Promise<void>
  /** Sets the count of wrong codes to none. */
  forgetWrongCodes(id: string): Promise<void>
  /** Removes a person with their sessions and identities. They must have no memberships and no grants. */
  remove(id: string): Promise<void>
  /** The ids of everybody who has a secret sealed. */
  idsWithSecrets(): Promise<readonly string[]>

  /** The person that this identity was linked to. */
  findByIdentity(identity: PersonIdentity): Promise<PersonRecord | null>
  /** Links an identity to a person; false where it is somebody's, or the person has another one of this issuer. */
  addIdentity(personId: string, identity: PersonIdentity, link: IdentityLink): Promise<boolean>
  /** Whether one of these people has an account at the issuer for whose address the issuer has vouched. */
  haveVerifiedIdentity(personIds: readonly string[], issuer: string): Promise<boolean>
  /** Notes that the issuer has vouched for the address of this identity. */
  verifyIdentity(identity: PersonIdentity, at: string): Promise<void>
  /** Removes the identities of a person except one; returns how many. */
  removeOtherIdentities(personId: string, kept: PersonIdentity): Promise<number>
  /** Uses up the state of one signing in through an issuer; false where that has happened before. */
  useOidcState(stateHash: string, expiresAt: string): Promise<boolean>

  /** Adds a session. */
  insertSession(session: PersonSessionRecord): Promise<void>
  /** The session of this token, as one statement: every call of a person begins with it. */
  findSession(tokenHash: string, organizationId: string | null): Promise<FoundSession | null>
  /** One page of a person's sessions that have not expired by then, newest first. */
  listSessions(personId: string, now: string, page: PageRequest): Promise<RecordPage<PersonSessionRecord>>
  /** Notes that a session was used, and until when it lasts now. */
  touchSession(id: string, use: SessionUse): Promise<void>
  /** Cuts sessions that expire later than one that is used now, to what that one has. */
  shortenSessions(latest: SessionUse): Promise<void>
  /** Removes a session of this person; false where there is none. */
  removeSession(personId: string, id: string): Promise<boolean>
  /** Removes all sessions of a person but this one; returns how many. */
  removeOtherSessions(personId: string, keptId: string | null): Promise<number>
}
