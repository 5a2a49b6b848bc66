import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { WebhookFilter, WebhookRecord, WebhookStore } from '../../ports/webhook-stores.js'
import type { Handle } from './handle.js'
import { contains, resourceStore, upsertStore } from './resource-store.js'
import { sqlStatement } from './statement.js'
import { webhook } from './webhook-schema.js'

const findEnabled = sqlStatement<{ found: boolean }>(
  'webhook_any_enabled',
  () => sql`select exists (select 1 from ${webhook} where ${webhook.isEnabled}) as found`,
)

export function makeWebhookStore(handle: Handle): WebhookStore {
  return {
    ...resourceStore<WebhookRecord, WebhookFilter>(handle, webhook, {
      matching: (filter) => [contains(filter.search, webhook.name, webhook.url)],
    }),
    ...upsertStore<WebhookRecord>(handle, webhook),

    async isAnyEnabled() {
      const [row] = await findEnabled(handle, {})
      return row?.found === true
    },

    async enabledOf(organizationIds) {
      if (organizationIds.length === 0) return []
      return handle
        .select()
        .from(webhook)
        .where(and(inArray(webhook.organizationId, [...organizationIds]), eq(webhook.isEnabled, true)))
    },

    async markWorking(ids) {
      if (ids.length === 0) return
      await handle
        .update(webhook)
        .set({ failingSince: null, isFailingTold: false })
        .where(and(inArray(webhook.id, [...ids]), isNotNull(webhook.failingSince)))
    },

    async markFailing(ids, at) {
      if (ids.length === 0) return []
      return handle
        .update(webhook)
        .set({ failingSince: sql`coalesce(${webhook.failingSince}, ${at}::timestamptz)` })
        .where(inArray(webhook.id, [...ids]))
        .returning()
    },

    async markFailingTold(id) {
      const marked = await handle
        .update(webhook)
        .set({ isFailingTold: true })
        .where(and(eq(webhook.id, id), eq(webhook.isFailingTold, false)))
      return marked.rowCount === 1
    },

    async disable(id, reason, at) {
      const [row] = await handle
        .update(webhook)
        .set({
          isEnabled: false,
          disabledReason: reason,
          updatedAt: at,
          version: sql`${webhook.version} + 1`,
        })
        .where(and(eq(webhook.id, id), eq(webhook.isEnabled, true)))
        .returning()
      return row ?? null
    },
  }
}
