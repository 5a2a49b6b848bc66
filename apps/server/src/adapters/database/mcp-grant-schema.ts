import type { Scope } from '@parley/contract'
import { index, json, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { McpTokenRecord } from '../../ports/people-stores.js'
import { person } from './people-schema.js'
import { moment, organization } from './schema.js'

/** MCP clients that act on behalf of people. */
export const mcpGrant = pgTable(
  'mcp_grant',
  {
    id: uuid().primaryKey(),
    organizationId: uuid('organization_id')
      .notNull()
      .references(() => organization.id),
    personId: uuid('person_id')
      .notNull()
      .references(() => person.id),
    createdAt: moment('created_at').notNull(),
    clientName: text('client_name').notNull(),
    clientHash: text('client_hash').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    scopes: json().$type<Scope[]>().notNull(),
    lastUsedAt: moment('last_used_at'),
    expiresAt: moment('expires_at').notNull(),
    codeHash: text('code_hash').notNull(),
    codeChallenge: text('code_challenge').notNull(),
    codeExpiresAt: moment('code_expires_at').notNull(),
    codeUsedAt: moment('code_used_at'),
  },
  (table) => [
    uniqueIndex('mcp_grant_code').on(table.codeHash),
    index('mcp_grant_person').on(table.personId, table.id),
    index('mcp_grant_organization').on(table.organizationId, table.id),
  ],
)

/** The tokens of these clients. Only hashes are stored. */
export const mcpGrantToken = pgTable(
  'mcp_grant_token',
  {
    hash: text().primaryKey(),
    grantId: uuid('grant_id')
      .notNull()
      .references(() => mcpGrant.id, { onDelete: 'cascade' }),
    kind: text().$type<McpTokenRecord['kind']>().notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  (table) => [index('mcp_grant_token_grant').on(table.grantId)],
)
