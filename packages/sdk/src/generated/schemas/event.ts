// Generated from the contract by `npm run generate`. What is changed here is lost.

/** The data of one server-sent event of a live stream. The event's id is the cursor to resume from. */
export type LiveEvent = {
  type: 'ready'
  data: {
  }
} | {
  type: 'changed'
  data: {
    /** The kind of the resource. */
    resource: 'Agent' | 'Connection' | 'Task' | 'Conversation' | 'Message' | 'Turn' | 'RealtimeSession' | 'Approval' | 'TemporaryFile' | 'Usage' | 'Budget' | 'Price' | 'ApiKey' | 'Member' | 'Invitation' | 'Webhook' | 'AuditLog'
    /** The id of the resource. For usage and prices, the organization's id. */
    id: string
    /** The kind of change, as far as it is known. A new resource may also be reported as `updated`. */
    change: 'created' | 'updated' | 'deleted'
    /** The conversation of a message, turn, session or approval. Otherwise null. */
    parentId: string | null
    /** When it changed (UTC). */
    at: string
  }
} | {
  type: 'reset'
  data: {
  }
}
