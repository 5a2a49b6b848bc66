import type {
  ConversationRetention,
  ConversationRetentionPatch,
  ConversationRetentionPreview,
  ConversationRetentionPreviewQuery,
} from '@parley/contract'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { notFound } from '../domain-error.js'

export type ConversationRetentions = ReturnType<typeof makeConversationRetention>

/** The retention of an organization's conversations. Agents can have their own. */
export function makeConversationRetention({ clock }: { readonly clock: Clock }) {
  return {
    read: ({ stores, caller }: CallerScope): Promise<Readonly<ConversationRetention>> =>
      stores.installation.readSettings(caller.organizationId),

    async patch(
      scope: CallerScope,
      { conversationRetentionDays }: ConversationRetentionPatch,
    ): Promise<Readonly<ConversationRetention>> {
      const { organizationId } = scope.caller
      const { installation } = scope.stores
      const before = await installation.lockSettings(organizationId)
      if (conversationRetentionDays === undefined) return before
      const after = { ...before, conversationRetentionDays }
      await installation.saveSettings(organizationId, after)
      await recordChange(clock, scope, {
        action: 'conversation_retention.update',
        type: 'ConversationRetention',
        id: organizationId,
        details: after,
      })
      return after
    },

    /** Counts the conversations that a retention would remove now. */
    async preview(
      { stores, caller: { organizationId } }: CallerScope,
      { Days, AgentId }: ConversationRetentionPreviewQuery,
    ): Promise<Readonly<ConversationRetentionPreview>> {
      if (AgentId !== undefined && (await stores.agents.find(organizationId, AgentId)) === null)
        throw notFound('Agent')
      const tried = { organizationId, agentId: AgentId ?? null, days: Days ?? null }
      return stores.erasures.previewRetention(tried, clock.now().toISOString())
    },
  }
}
