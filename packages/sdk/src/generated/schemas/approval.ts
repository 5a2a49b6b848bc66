// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of Approval items. */
export type ApprovalPage = Page<Approval>

/** A tool call that runs only after approval. */
export interface Approval {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The conversation that the call belongs to. */
  conversationId: string
  /** The message of the tool call. */
  messageId: string
  /** The provider's id of the tool call. A decision refers to it. */
  callId: string
  /** The agent that wants to call the tool. */
  agentId: string
  /** The tool name that the model used. */
  tool: string
  /** The title of the tool, or its name if it has no title. */
  title: string
  /** The arguments as JSON text. An approved call runs with exactly these. */
  arguments: string
  /**
   * Who may decide, by the settings of the tool and the session. `client`: the user over the session's socket,
   * or the key that asked the question. `staff`: people and keys with `approval:decide`. `either`: both.
   */
  approvedBy: 'client' | 'staff' | 'either'
  /** Whether the approval is pending, or its outcome. */
  state: 'waiting' | 'approved' | 'rejected' | 'expired'
  /** When the approval expires. Default: 300 seconds after the call. */
  deadline: string
  /** Who decided. Null: not decided. */
  decidedBy: {
    /** The kind of caller that decided. */
    type: 'api_key' | 'person' | 'client'
    /** The id of the key or person, or of the client's session. */
    id: string
    /** The caller's name at the time. */
    name: string | null
  } | null
  /** When it was decided. Null: not decided. */
  decidedAt: string | null
  /** The reason given with the decision. */
  reason: string | null
  /** Whether the call belongs to a rehearsal. Then only a stub runs. */
  rehearsal: boolean
}

/** A decision on a pending tool call. */
export interface ApprovalDecision {
  /** The tool call to decide on. */
  callId: string
  /** Whether the call may run. */
  decision: 'approve' | 'reject'
  /** The reason. The model reads it if the call is rejected. */
  reason?: string | null | undefined
}
