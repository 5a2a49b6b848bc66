// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of Approval items. */
export type ApprovalPage = Page<Approval>

/** A tool call that runs only if a person allows it. */
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
  /** The provider's id of the tool call; a decision names it. */
  callId: string
  /** The agent that wants to call the tool. */
  agentId: string
  /** The name by which the model called the tool. */
  tool: string
  /** What people know the tool by: its title, or its name where it has none. */
  title: string
  /** The arguments, JSON text; when approved, the tool runs with exactly these. */
  arguments: string
  /**
   * Who may decide on it, as tool and session have it. `client`: the user, over the session's socket, or the
   * key that asked the question. `staff`: people and keys with `approval:decide`. `either`: both.
   */
  approvedBy: 'client' | 'staff' | 'either'
  /** Whether it still waits, and if not, what became of it. */
  state: 'waiting' | 'approved' | 'rejected' | 'expired'
  /**
   * When it expires, unless it is decided on before: 300 seconds after the call, unless the deployment says
   * otherwise.
   */
  deadline: string
  /** Who decided; null where nobody has. */
  decidedBy: {
    /** What kind of caller it was. */
    type: 'api_key' | 'person' | 'client'
    /** The id of the key or person, or of the session that the client was in. */
    id: string
    /** The caller's name at the time. */
    name: string | null
  } | null
  /** When it was decided on; null where nobody has. */
  decidedAt: string | null
  /** Why, in the words of whoever decided. */
  reason: string | null
  /** Whether it is part of a rehearsal: what is decided on is a stub, and nothing is done. */
  rehearsal: boolean
}

/** A decision on a tool call that waits. */
export interface ApprovalDecision {
  /** The call that is decided on. */
  callId: string
  /** Whether the call may run. */
  decision: 'approve' | 'reject'
  /** Why; the model reads it where the call is rejected. */
  reason?: string | null | undefined
}
