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
    failures: integer().notNull(),
    lockedUntil: moment('locked_until'),
  },
  () => [uniqueIndex('person_email').on(sql`lower(email)`)],
)

/** Who somebody is at an issuer. A person has one identity of each. */
export const personIdentity = pgTable(
  'person_identity',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    personId: uuid('person_id')
      .notNull()
      .references(() => person.id),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    uniqueIndex('person_identity_person').on(table.personId, table.issuer),
  ],
)

/** What nobody may sign in with again. Strangers leave no row here. */
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
  },
  (table) => [
    uniqueIndex('person_session_token').on(table.tokenHash),
    index('person_session_person').on(table.personId, table.id),
    index('person_session_expiry').on(table.expiresAt),
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
