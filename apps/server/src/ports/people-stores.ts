import type { ApiKey, McpGrant, RoleName, Scope } from '@parley/contract'
import type { PageRequest, RecordPage, ResourceRecord, ResourceStore } from './resource-store.js'

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

export interface MemberRecord extends ResourceRecord {
  readonly personId: string
  readonly role: RoleName
}

/** A member with what others see of the person. */
export interface MemberWithPerson extends MemberRecord {
  readonly email: string
  readonly name: string
  readonly hasTotp: boolean
}

/** A member with the name of the organization. */
export interface MemberWithOrganization extends MemberRecord {
  readonly organizationName: string
}

/** Who belongs to which organization, and as what. */
export interface MemberStore extends ResourceStore<MemberRecord, Record<string, never>> {
  /** One page of the members of an organization with what others see of them, newest first. */
  listWithPeople(organizationId: string, page: PageRequest): Promise<RecordPage<MemberWithPerson>>
  /** What the person is in each organization, the oldest membership first. */
  ofPerson(personId: string): Promise<readonly MemberWithOrganization[]>
  /** The membership of a person, locked until the transaction ends; null if there is none. */
  findOfPersonLocked(organizationId: string, personId: string): Promise<MemberRecord | null>
  /** Whether an account with this address is a member, whichever account it is. */
  hasAddress(organizationId: string, email: string): Promise<boolean>
  /** Gives the memberships of one person to another; those in organizations where both are members end. */
  move(personId: string, toPersonId: string, at: string): Promise<void>
  /** Makes changes of owners take turns, until their transactions end. */
  lockOwners(organizationId: string): Promise<void>
  /** How many owners an organization has. */
  countOwners(organizationId: string): Promise<number>
}

export interface InvitationRecord extends ResourceRecord {
  /** In lower case; null: whoever has the link. */
  readonly email: string | null
  readonly role: RoleName
  /** SHA-256 of the token, in hex. */
  readonly tokenHash: string
  readonly invitedBy: string | null
  /** The person or key that made it; null for the operator's links and for rows of earlier versions. */
  readonly invitedById: string | null
  readonly expiresAt: string
  readonly acceptedAt: string | null
}

/** Ways into organizations. */
export interface InvitationStore extends ResourceStore<InvitationRecord, Record<string, never>> {
  /** The invitation of this token, in whichever organization. */
  findByToken(tokenHash: string): Promise<InvitationRecord | null>
  /**
   * Removes the open invitations of an inviter to these roles and returns them. Rows without an inviter's id count as
   * theirs; the operator's links, which name no address, do not.
   */
  removeOpen(
    organizationId: string,
    made: { readonly by: string; readonly roles: readonly RoleName[] },
  ): Promise<readonly InvitationRecord[]>
}

export interface ApiKeyRecord extends Readonly<ApiKey>, ResourceRecord {
  /** SHA-256 of the whole key, in hex. The key itself is stored nowhere. */
  readonly hash: string
  readonly deletedAt: string | null
}

export interface ApiKeyStore extends ResourceStore<ApiKeyRecord, Record<string, never>> {
  /** The key of this prefix in whichever organization, deleted ones too: a refusal should know whom it refuses. */
  findByPrefix(prefix: string): Promise<ApiKeyRecord | null>
  /** The key of this id in whichever organization, unless it was deleted. */
  findAnywhere(id: string): Promise<ApiKeyRecord | null>
  /** Makes deletions of keys that manage the organization take turns, until their transactions end. */
  lockManagement(organizationId: string): Promise<void>
  /** How many keys can manage the organization and have not expired by then. */
  countManaging(organizationId: string, now: string): Promise<number>
  /** Notes that the key was used. */
  touch(id: string, at: string): Promise<void>
}

/** The wrong passwords and codes that one counter has seen: of an address, of a known browser, or of a session. */
export interface SignInTriesRecord {
  /** SHA-256 of what is counted, in hex. */
  readonly key: string
  /** The person of a browser or session; null for the counter of an address. */
  readonly personId: string | null
  /** Wrong passwords since the last sign-in, the last lock, or 15 minutes without a wrong one. */
  readonly failures: number
  /** Wrong codes with the right password since the last sign-in. */
  readonly wrongCodes: number
  readonly lockedUntil: string | null
  readonly expiresAt: string
}

/** Counters of wrong tries to sign in. An address without an account has one too, so that both cost the same. */
export interface SignInTriesStore {
  /** Adds the counter unless there is one, and returns the stored one, locked until the transaction ends. */
  lock(fresh: SignInTriesRecord): Promise<SignInTriesRecord>
  /** Writes a counter over the stored one, which the caller has locked. */
  update(tries: SignInTriesRecord): Promise<void>
  remove(key: string): Promise<void>
  /** Removes the counter of this key and all counters of these people; returns them. */
  removeAll(key: string, personIds: readonly string[]): Promise<readonly SignInTriesRecord[]>
}

/** What a person has allowed an MCP client. */
export interface McpGrantRecord {
  readonly id: string
  readonly organizationId: string
  readonly personId: string
  readonly createdAt: string
  readonly clientName: string
  /** SHA-256 of the client's id: that is long, and says all of the client. */
  readonly clientHash: string
  readonly redirectUri: string
  readonly scopes: readonly Scope[]
  readonly lastUsedAt: string | null
  readonly expiresAt: string
  /** The code that the client gets its first tokens for, by its hash; it works once. */
  readonly codeHash: string
  readonly codeChallenge: string
  readonly codeExpiresAt: string
  readonly codeUsedAt: string | null
}

export interface McpTokenRecord {
  /** SHA-256 of the token, in hex. The token itself is stored nowhere. */
  readonly hash: string
  readonly grantId: string
  readonly kind: 'access' | 'refresh'
  readonly expiresAt: string
  /** When a refresh token was turned into another one: from then on it is worth nothing. */
  readonly usedAt: string | null
}

/** A token with what it stands for, as that is now. */
export interface FoundMcpToken {
  readonly token: McpTokenRecord
  readonly grant: McpGrantRecord
  readonly person: PersonRecord
  /** Null where the person is no member of the organization any more. */
  readonly member: MemberRecord | null
}

/** Whose grants are meant. */
export type GrantOwner = { readonly personId: string } | { readonly organizationId: string }

export interface McpGrantStore {
  insert(grant: McpGrantRecord): Promise<void>
  insertTokens(tokens: readonly McpTokenRecord[]): Promise<void>
  /** Those that have not expired and have been used for tokens, newest first. */
  list(owner: GrantOwner, now: string, page: PageRequest): Promise<RecordPage<McpGrant>>
  /** The grant of a code, kept from changing until the transaction ends. */
  findByCodeLocked(codeHash: string): Promise<McpGrantRecord | null>
  /** A token and its grant, which is kept from changing until the transaction ends. */
  findTokenLocked(hash: string): Promise<{ token: McpTokenRecord; grant: McpGrantRecord } | null>
  /** An access token with whose it is. */
  findAccess(hash: string): Promise<FoundMcpToken | null>
  update(grant: McpGrantRecord): Promise<void>
  markTokenUsed(hash: string, at: string): Promise<void>
  touch(id: string, at: string): Promise<void>
  /** Removes a grant with its tokens; null where the owner has none of this id. */
  remove(owner: GrantOwner, id: string): Promise<McpGrantRecord | null>
  /** Removes all that the person has allowed in the organization. */
  removeOfMember(organizationId: string, personId: string): Promise<void>
  /** Returns how many grants the person has. */
  countOf(personId: string): Promise<number>
  /** Removes all grants of a person; returns how many. */
  removeOfPerson(personId: string): Promise<number>
  /** Removes expired tokens of the grant, and grants of the person that have expired or whose code has expired unredeemed. */
  removeExpired(grant: Pick<McpGrantRecord, 'id' | 'personId'>, now: string): Promise<void>
}
