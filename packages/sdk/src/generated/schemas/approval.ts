// Generated from the contract by `npm run generate`. Do not edit.

import type { Page } from '../../rest/page.js'

/** One page of a list of `Approval` objects. */
export type ApprovalPage = Page<Approval>

/** A tool call that requires approval. */
export interface Approval {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The ID of the conversation. */
  conversationId: string
  /** The ID of the tool message. */
  messageId: string
  /** The ID that the model assigned to the call. Send it with the decision. */
  callId: string
  /** The ID of the agent that calls the tool. */
  agentId: string
  /** The name of the tool, as the model sees it. */
  tool: string
  /** The display name of the tool. */
  title: string
  /** The arguments as a JSON string. If the call is approved, the tool is called with exactly these arguments. */
  arguments: string
  /**
   * Who can approve or reject the call, as configured for the tool and the session. `client`: the client of
   * the realtime session, or the API key that asked the question. `staff`: members and API keys with the scope
   * `approval:decide`. `either`: both of them.
   */
  approvedBy: 'client' | 'staff' | 'either'
  /** The state of the approval. */
  state: 'waiting' | 'approved' | 'rejected' | 'expired'
  /** When the approval expires (UTC). By default, 300 seconds after the call. */
  deadline: string
  /** The caller who made the decision. `null` if no decision was made. */
  decidedBy: {
    /**
     * The type of the caller: an API key (`api_key`), a signed-in user (`person`) or the client of a realtime
     * session (`client`).
     */
    type: 'api_key' | 'person' | 'client'
    /** The ID of the API key or user, or of the realtime session of the client. */
    id: string
    /** The name of the caller at the time of the decision. `null` if it has none. */
    name: string | null
  } | null
  /** When the decision was made (UTC). `null` if no decision was made. */
  decidedAt: string | null
  /** The reason for the decision. `null` if none was given. */
  reason: string | null
  /** Whether the call belongs to a rehearsal (test mode), in which only a stub runs. */
  rehearsal: boolean
}

/** The parameters for approving or rejecting a tool call. */
export interface ApprovalDecision {
  /** The `callId` of the pending approval. */
  callId: string
  /** Whether to approve or reject the call. */
  decision: 'approve' | 'reject'
  /** The reason for the decision. If the call is rejected, it is sent to the model. */
  reason?: string | null | undefined
}
