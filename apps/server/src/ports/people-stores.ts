import type { ApiKey, McpGrant, RoleName, Scope } from '@parley/contract'
import type { PageRequest, RecordPage, ResourceRecord, ResourceStore } from './resource-store.js'

export interface PersonRecord {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  /** In lower case. */
  readonly email: string
  readonly name: string
  /** Null if the person signs in only through an identity provider. */
  readonly passwordHash: string | null
  /** The sealed secret of the second factor, or null if there is none. */
  readonly sealedTotp: string | null
  /** The sealed secret of a second factor that is not confirmed yet. */
  readonly pendingTotp: string | null
  /** The time step of the last accepted code. Codes of this and earlier steps are rejected. */
  readonly lastTotpStep: number | null
  /** SHA-256 of the unused recovery codes, in hex. */
  readonly recoveryHashes: readonly string[]
  /** When an identity provider first verified the address. Null if only an invitation confirms it. */
  readonly provenAt: string | null
  /**
   * The organization whose invitation created the account. Null for accounts of earlier versions without a
   * membership.
   */
  readonly homeOrganizationId: string | null
  /** The number of wrong codes with the right password since the last sign-in, and the time of the first. */
  readonly wrongCodes: number
  readonly wrongCodesSince: string | null
}

/** An account at an identity provider. Issuer and subject identify it permanently. */
export interface PersonIdentity {
  readonly issuer: string
  readonly subject: string
}

export interface IdentityLink {
  readonly at: string
  /** Whether the identity provider has verified the person's address. */
  readonly isVerified: boolean
}

export interface PersonSessionRecord {
  readonly id: string
  readonly personId: string
  /** SHA-256 of the token, in hex. The token itself is not stored. */
  readonly tokenHash: string
  readonly createdAt: string
  readonly lastUsedAt: string
  /** When the session expires unless it is used before. Never later than `endsAt`. */
  readonly expiresAt: string
  /** When the session ends regardless of use. */
  readonly endsAt: string
  readonly ipAddress: string | null
  readonly userAgent: string | null
  /** The number of wrong codes with the right password before this session, and the time of the first. */
  readonly wrongCodes: number
  readonly wrongCodesSince: string | null
}

export interface SessionUse extends Pick<PersonSessionRecord, 'expiresAt' | 'endsAt'> {
  readonly at: string
}

/** A session with its person and their membership in the requested organization. */
export interface FoundSession {
  readonly session: PersonSessionRecord
  readonly person: PersonRecord
  readonly member: MemberRecord | null
}

/** People and their sessions. People belong to organizations only through members. */
export interface PersonStore {
  /** Returns the person, or null if there is none. */
  find(id: string): Promise<PersonRecord | null>
  /** Like `find`, but locks the person until the transaction ends. */
  findLocked(id: string): Promise<PersonRecord | null>
  /**
   * Returns the accounts with an email address, ignoring case. The proven account comes first, and then the
   * oldest.
   */
  findByAddress(email: string): Promise<readonly PersonRecord[]>
  /** Like `findByAddress`, but locks the accounts until the transaction ends. */
  findByAddressLocked(email: string): Promise<readonly PersonRecord[]>
  /** Adds a person. Returns false if the address has a proven account, or one of the same organization. */
  insert(person: PersonRecord): Promise<boolean>
  /** Replaces the stored person, which the caller must have locked. */
  update(person: PersonRecord): Promise<void>
  /** Resets the count of wrong codes. */
  forgetWrongCodes(id: string): Promise<void>
  /** Removes a person with their sessions and identities. They must have no memberships and no grants. */
  remove(id: string): Promise<void>
  /** Returns the ids of all people who have a sealed secret. */
  idsWithSecrets(): Promise<readonly string[]>

  /** Returns the person that this identity is linked to, or null if there is none. */
  findByIdentity(identity: PersonIdentity): Promise<PersonRecord | null>
  /**
   * Links an identity to a person. Returns false if the identity is already linked, or if the person has
   * another identity of this issuer.
   */
  addIdentity(personId: string, identity: PersonIdentity, link: IdentityLink): Promise<boolean>
  /** Returns whether one of these people has an account at the identity provider with a verified address. */
  haveVerifiedIdentity(personIds: readonly string[], issuer: string): Promise<boolean>
  /** Records that the identity provider has verified the address of this identity. */
  verifyIdentity(identity: PersonIdentity, at: string): Promise<void>
  /** Removes all other identities of the person and returns their number. */
  removeOtherIdentities(personId: string, kept: PersonIdentity): Promise<number>
  /**
   * Consumes the state of a sign-in through an identity provider. Returns false if it was consumed before.
   */
  useOidcState(stateHash: string, expiresAt: string): Promise<boolean>

  insertSession(session: PersonSessionRecord): Promise<void>
  /**
   * Returns the session with this token, or null if there is none. Must be a single statement, because every
   * request of a signed-in user starts with it.
   */
  findSession(tokenHash: string, organizationId: string | null): Promise<FoundSession | null>
  /** Returns one page of a person's sessions that have not expired at `now`, newest first. */
  listSessions(personId: string, now: string, page: PageRequest): Promise<RecordPage<PersonSessionRecord>>
  /** Records the use of a session and its new expiry. */
  touchSession(id: string, use: SessionUse): Promise<void>
  /** Limits the expiry of all sessions that would expire after `latest.expiresAt` to that of `latest`. */
  shortenSessions(latest: SessionUse): Promise<void>
  /** Removes a session of this person. Returns false if there is none. */
  removeSession(personId: string, id: string): Promise<boolean>
  /** Removes all sessions of a person except `keptId` and returns their number. */
  removeOtherSessions(personId: string, keptId: string | null): Promise<number>
}

export interface MemberRecord extends ResourceRecord {
  readonly personId: string
  readonly role: RoleName
}

/** A member with the fields of the person that other members see. */
export interface MemberWithPerson extends MemberRecord {
  readonly email: string
  readonly name: string
  readonly hasTotp: boolean
}

/** A member with the name of the organization. */
export interface MemberWithOrganization extends MemberRecord {
  readonly organizationName: string
}

/** The members of organizations and their roles. */
export interface MemberStore extends ResourceStore<MemberRecord, Record<string, never>> {
  /** Returns one page of an organization's members with their people, newest first. */
  listWithPeople(organizationId: string, page: PageRequest): Promise<RecordPage<MemberWithPerson>>
  /** Returns the memberships of a person, oldest first. */
  ofPerson(personId: string): Promise<readonly MemberWithOrganization[]>
  /** Returns the membership of a person, locked until the transaction ends, or null if there is none. */
  findOfPersonLocked(organizationId: string, personId: string): Promise<MemberRecord | null>
  /** Returns whether any account with this address is a member. */
  hasAddress(organizationId: string, email: string): Promise<boolean>
  /**
   * Transfers the memberships of one person to another. If both are members of the same organization, removes
   * the first person's membership there.
   */
  move(personId: string, toPersonId: string, at: string): Promise<void>
  /** Serializes changes of owners until the transaction ends. */
  lockOwners(organizationId: string): Promise<void>
  countOwners(organizationId: string): Promise<number>
}

export interface InvitationRecord extends ResourceRecord {
  /** In lower case. Null if the link is valid for any address. */
  readonly email: string | null
  readonly role: RoleName
  /** SHA-256 of the token, in hex. */
  readonly tokenHash: string
  readonly invitedBy: string | null
  /**
   * The person or API key that created it. Null for the operator's links and for rows of earlier versions.
   */
  readonly invitedById: string | null
  readonly expiresAt: string
  readonly acceptedAt: string | null
}

/** Invitations to organizations. */
export interface InvitationStore extends ResourceStore<InvitationRecord, Record<string, never>> {
  /** Returns the invitation of this token in any organization, or null. */
  findByToken(tokenHash: string): Promise<InvitationRecord | null>
  /**
   * Removes and returns the open invitations that this inviter created for these roles. Also removes those
   * without an inviter's id, which an earlier version created. Keeps invitations without an email address,
   * such as those of the operator.
   */
  removeOpen(
    organizationId: string,
    made: { readonly by: string; readonly roles: readonly RoleName[] },
  ): Promise<readonly InvitationRecord[]>
}

export interface ApiKeyRecord extends Readonly<ApiKey>, ResourceRecord {
  /** SHA-256 of the whole key, in hex. The key itself is not stored. */
  readonly hash: string
  readonly deletedAt: string | null
}

export interface ApiKeyStore extends ResourceStore<ApiKeyRecord, Record<string, never>> {
  /**
   * Returns the key with this prefix in any organization, including deleted keys, so that a rejection can
   * name its organization.
   */
  findByPrefix(prefix: string): Promise<ApiKeyRecord | null>
  /** Returns the key in any organization, or null if it does not exist or was deleted. */
  findAnywhere(id: string): Promise<ApiKeyRecord | null>
  /** Serializes deletions of keys that can manage the organization, until the transaction ends. */
  lockManagement(organizationId: string): Promise<void>
  /** Returns the number of keys that can manage the organization and have not expired at `now`. */
  countManaging(organizationId: string, now: string): Promise<number>
  /** Records that the key was used. */
  touch(id: string, at: string): Promise<void>
}

/** The failed attempts of one counter. Each address, known browser and session has its own counter. */
export interface SignInTriesRecord {
  /** SHA-256 of the counted address, browser or session, in hex. */
  readonly key: string
  /** The person of the browser or session. Null for the counter of an address. */
  readonly personId: string | null
  /**
   * The number of wrong passwords since the last sign-in, the last lockout, or 15 minutes without a wrong
   * password.
   */
  readonly failures: number
  /** The number of wrong codes with the right password since the last sign-in. */
  readonly wrongCodes: number
  readonly lockedUntil: string | null
  readonly expiresAt: string
}

/**
 * Counters of failed sign-ins. Addresses without an account have one too, so that response times do not
 * reveal whether an account exists.
 */
export interface SignInAttemptsStore {
  /** Adds the counter if it does not exist. Returns the stored counter, locked until the transaction ends. */
  lock(fresh: SignInTriesRecord): Promise<SignInTriesRecord>
  /** Replaces the stored counter, which the caller must have locked. */
  update(tries: SignInTriesRecord): Promise<void>
  remove(key: string): Promise<void>
  /** Removes and returns the counter of this key and all counters of these people. */
  removeAll(key: string, personIds: readonly string[]): Promise<readonly SignInTriesRecord[]>
}

/** A person's consent to an MCP client. */
export interface McpGrantRecord {
  readonly id: string
  readonly organizationId: string
  readonly personId: string
  readonly createdAt: string
  readonly clientName: string
  /** SHA-256 of the client's id. The id itself is long and contains the client's metadata. */
  readonly clientHash: string
  readonly redirectUri: string
  readonly scopes: readonly Scope[]
  readonly lastUsedAt: string | null
  readonly expiresAt: string
  /** The hash of the code that the client redeems for its first tokens. The code works once. */
  readonly codeHash: string
  readonly codeChallenge: string
  readonly codeExpiresAt: string
  readonly codeUsedAt: string | null
}

export interface McpTokenRecord {
  /** SHA-256 of the token, in hex. The token itself is not stored. */
  readonly hash: string
  readonly grantId: string
  readonly kind: 'access' | 'refresh'
  readonly expiresAt: string
  /** When a refresh token was exchanged. It is invalid from then on. */
  readonly usedAt: string | null
}

/** A token with its grant, person and member in their current state. */
export interface FoundMcpToken {
  readonly token: McpTokenRecord
  readonly grant: McpGrantRecord
  readonly person: PersonRecord
  /** Null if the person is no longer a member of the organization. */
  readonly member: MemberRecord | null
}

/** Selects the grants of a person or of an organization. */
export type GrantOwner = { readonly personId: string } | { readonly organizationId: string }

export interface McpGrantStore {
  insert(grant: McpGrantRecord): Promise<void>
  insertTokens(tokens: readonly McpTokenRecord[]): Promise<void>
  /** Returns unexpired grants whose code was redeemed, newest first. */
  list(owner: GrantOwner, now: string, page: PageRequest): Promise<RecordPage<McpGrant>>
  /** Returns the grant of a code, locked until the transaction ends, or null if there is none. */
  findByCodeLocked(codeHash: string): Promise<McpGrantRecord | null>
  /** Returns a token and its grant, which is locked until the transaction ends, or null if there is none. */
  findTokenLocked(hash: string): Promise<{ token: McpTokenRecord; grant: McpGrantRecord } | null>
  /** Returns an access token with its grant, person and member, or null if there is none. */
  findAccess(hash: string): Promise<FoundMcpToken | null>
  update(grant: McpGrantRecord): Promise<void>
  markTokenUsed(hash: string, at: string): Promise<void>
  touch(id: string, at: string): Promise<void>
  /** Removes a grant with its tokens. Returns null if the owner has no such grant. */
  remove(owner: GrantOwner, id: string): Promise<McpGrantRecord | null>
  /** Removes all grants of the person in the organization. */
  removeOfMember(organizationId: string, personId: string): Promise<void>
  countOf(personId: string): Promise<number>
  /** Removes all grants of a person and returns their number. */
  removeOfPerson(personId: string): Promise<number>
  /**
   * Removes expired tokens of the grant, and grants of the person that have expired or whose code expired
   * before it was redeemed.
   */
  removeExpired(grant: Pick<McpGrantRecord, 'id' | 'personId'>, now: string): Promise<void>
}
