import { boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { moment } from './schema.js'

/** Facts about this installation, in one row. */
export const installation = pgTable('installation', {
  id: integer().primaryKey(),
  secretCheck: text('secret_check').notNull(),
  firstOrganizationId: uuid('first_organization_id').notNull(),
  createdAt: moment('created_at').notNull(),
})

/** The running instances. Each renews its own row. If an instance stops, the others close its sessions. */
export const instanceLease = pgTable('instance_lease', {
  instanceId: uuid('instance_id').primaryKey(),
  renewedAt: timestamp('renewed_at', { withTimezone: true }).notNull(),
  isDraining: boolean('is_draining').notNull().default(false),
})
