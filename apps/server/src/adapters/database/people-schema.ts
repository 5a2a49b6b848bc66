import { roles } from '@parley/contract'
import { sql } from 'drizzle-orm'
import {
  bigint,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { moment, resourceColumns } from './schema.js'

export const person = pgTable(
  'person',
  {
    id: uuid().primaryKey(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    email: text().notNull(),
    name: text().notNull(),
    passwordHash: text('password_hash'),
    sealedTotp: text('sealed_totp'),
    pendingTotp: text('pending_totp'),
    lastTotpStep: bigint('last_totp_step', { mode: 'number' }),
    recoveryHashes: json('recovery_hashes').$type<readonly string[]>().notNull(),
    /** When the identity provider first verified the address. Null if only an invitation vouches for it. */
    provenAt: moment('proven_at'),
    /**
     * The organization whose invitation created the account. It has no foreign key, because the account may
     * outlive it.
     */
    homeOrganizationId: uuid('home_organization_id'),
    /** Wrong codes after a correct password since the last sign-in. */
    wrongCodes: integer('wrong_codes').notNull().default(0),
    wrongCodesSince: moment('wrong_codes_since'),
    /**
     * `failures` and `lockedUntil` were replaced by `sign_in_tries`. Used by earlier versions, which may
     * still run during a rolling update.
     */
    failures: integer().notNull().default(0),
    lockedUntil: moment('locked_until'),
  },
  () => [
    index('person_address').on(sql`lower(email)`),
    uniqueIndex('person_proven_address').on(sql`lower(email)`).where(sql`proven_at is not null`),
    // Earlier versions may still run during a rolling update and leave home_organization_id null. Without
    // coalesce, they could insert the same address twice.
    uniqueIndex('person_home_address')
      .on(sql`coalesce(home_organization_id, '00000000-0000-0000-0000-000000000000')`, sql`lower(email)`)
      .where(sql`proven_at is null`),
  ],
)

/** The account of a person at an identity provider. A person has one identity per provider. */
export const personIdentity = pgTable(
  'person_identity',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    personId: uuid('person_id')
      .notNull()
      .references(() => person.id),
    createdAt: moment('created_at').notNull(),
    /**
     * The time at which the identity provider verified the user's address, or null if it never did. The
     * default is used by earlier versions, which may still run during a rolling update and only link verified
     * identities.
     */
    verifiedAt: moment('verified_at').default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    uniqueIndex('person_identity_person').on(table.personId, table.issuer),
  ],
)

/** State parameters that were used for a sign-in and must not be used again. */
export const usedOidcState = pgTable(
  'used_oidc_state',
  { stateHash: text('state_hash').primaryKey(), expiresAt: moment('expires_at').notNull() },
  (table) => [index('used_oidc_state_expiry').on(table.expiresAt)],
)

export const personSession = pgTable(
  'person_session',
  {
    id: uuid().primaryKey(),
    personId: uuid('person_id')
      .notNull()
      .references(() => person.id),
    tokenHash: text('token_hash').notNull(),
    createdAt: moment('created_at').notNull(),
    lastUsedAt: moment('last_used_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    endsAt: moment('ends_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** Wrong codes after a correct password, before this session. */
    wrongCodes: integer('wrong_codes').notNull().default(0),
    wrongCodesSince: moment('wrong_codes_since'),
  },
  (table) => [
    uniqueIndex('person_session_token').on(table.tokenHash),
    index('person_session_person').on(table.personId, table.id),
    index('person_session_expiry').on(table.expiresAt),
  ],
)

/**
 * Failed passwords and codes. There is one row per email address, known browser and session, including
 * addresses without an account.
 */
export const signInAttempts = pgTable(
  'sign_in_tries',
  {
    key: text().primaryKey(),
    /** Null in the row of an email address. */
    personId: uuid('person_id'),
    failures: integer().notNull(),
    wrongCodes: integer('wrong_codes').notNull(),
    lockedUntil: moment('locked_until'),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    index('sign_in_tries_person').on(table.personId),
    index('sign_in_tries_expiry').on(table.expiresAt),
  ],
)

export const member = pgTable(
  'member',
  {
    ...resourceColumns,
    personId: uuid('person_id')
      .notNull()
      .references(() => person.id),
    role: text({ enum: roles }).notNull(),
  },
  (table) => [
    index('member_organization').on(table.organizationId, table.id),
    uniqueIndex('member_person').on(table.personId, table.organizationId),
  ],
)

export const invitation = pgTable(
  'invitation',
  {
    ...resourceColumns,
    email: text(),
    role: text({ enum: roles }).notNull(),
    tokenHash: text('token_hash').notNull(),
    invitedBy: text('invited_by'),
    /**
     * The user or API key that created the invitation. Null for the operator's invitations, and for rows of
     * earlier versions, which may still run during a rolling update.
     */
    invitedById: uuid('invited_by_id'),
    expiresAt: moment('expires_at').notNull(),
    acceptedAt: moment('accepted_at'),
  },
  (table) => [
    index('invitation_organization').on(table.organizationId, table.id),
    uniqueIndex('invitation_token').on(table.tokenHash),
    index('invitation_expiry').on(table.expiresAt),
    index('invitation_open').on(table.organizationId, table.expiresAt).where(sql`accepted_at is null`),
  ],
)
