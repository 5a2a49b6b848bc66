// Generated from the contract by `npm run generate`. Do not edit.

/**
 * The data of one server-sent event of a live stream. The ID of the event is the cursor for resuming the
 * stream.
 */
export type LiveEvent = {
  type: 'ready'
  data: {
  }
} | {
  type: 'changed'
  data: {
    /** The type of the resource. */
    resource: 'Agent' | 'Connection' | 'Task' | 'Conversation' | 'Message' | 'Turn' | 'RealtimeSession' | 'Approval' | 'TemporaryFile' | 'Usage' | 'Budget' | 'Price' | 'ApiKey' | 'Member' | 'Invitation' | 'Webhook' | 'PhoneConnection' | 'PhoneNumber' | 'PhoneCall' | 'AuditLog'
    /** The ID of the resource. For `Usage` and `Price`, the ID of the organization. */
    id: string
    /** The type of the change. The creation of a resource may also be reported as `updated`. */
    change: 'created' | 'updated' | 'deleted'
    /**
     * The ID of the conversation, for a message, turn, realtime session, approval or call. `null` for other
     * resources.
     */
    parentId: string | null
    /**
     * The ID of the end user, for a conversation, message, turn, realtime session, approval, call or task run.
     * `null` if the end user is anonymous.
     */
    endUserId: string | null
    /** Your own ID of the end user. `null` without the scope `conversation:read`. */
    externalUserId: string | null
    /** When the resource changed (UTC). */
    at: string
  }
} | {
  type: 'reset'
  data: {
  }
}
