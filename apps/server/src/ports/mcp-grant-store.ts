import type { McpGrant, Scope } from '@parley/contract'
import type { MemberRecord } from './member-store.js'
import type { PersonRecord } from './person-store.js'
import type { PageRequest, RecordPage } from './resource-store.js'

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
