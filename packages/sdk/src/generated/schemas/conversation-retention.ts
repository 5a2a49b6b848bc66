// Generated from the contract by `npm run generate`. Do not edit.

/** How long the organization keeps conversations. */
export interface ConversationRetention {
  /**
   * Conversations are removed this many days after their last activity. An agent can have its own value.
   * `null` if conversations are kept.
   */
  conversationRetentionDays: number | null
}

/** A merge patch of the retention of conversations. */
export interface ConversationRetentionPatch {
  /** The number of days, or `null` to keep conversations. */
  conversationRetentionDays?: number | null | undefined
}

/** A dry run of the retention of conversations. Nothing is removed. */
export interface ConversationRetentionPreview {
  /** The number of conversations that would be removed now. */
  conversations: number
  /** The number of their messages. */
  messages: number
  /** The oldest last activity of these conversations (UTC). `null` if there are none. */
  oldestActivityAt: string | null
}
