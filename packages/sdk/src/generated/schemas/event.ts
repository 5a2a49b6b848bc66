// Generated from the contract by `npm run generate`. What is changed here is lost.

/** The data of one server-sent event of a live stream; the event's id is the cursor to go on from. */
export type LiveEvent = {
  type: 'ready'
  data: {
  }
} | {
  type: 'changed'
  data: {
    /** What kind of thing it is. */
    resource: 'Agent' | 'Connection' | 'Task' | 'Conversation' | 'Message' | 'Turn' | 'RealtimeSession' | 'Approval' | 'TemporaryFile' | 'Usage' | 'Budget' | 'Price' | 'ApiKey' | 'Member' | 'Invitation' | 'Webhook' | 'AuditLog'
    /** Its id; of usage and prices, which an organization has as a whole, its own. */
    id: string
    /** What happened to it, as far as is known: `updated` may also be said of something new. */
    change: 'created' | 'updated' | 'deleted'
    /** The conversation that a message, turn, session or approval belongs to; else null. */
    parentId: string | null
    /** When it changed (UTC). */
    at: string
  }
} | {
  type: 'reset'
  data: {
  }
}
