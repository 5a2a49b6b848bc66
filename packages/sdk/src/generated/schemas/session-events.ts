// Generated from the contract by `npm run generate`. Do not edit.

/** Approves a pending tool call. */
export type ApprovalApproveEvent = {
  type: 'approval.approve'
  callId?: string | null | undefined
  /** An alias of `callId`. */
  call_id?: string | null | undefined
  /** The reason for the decision. It is sent to the model. */
  reason?: string | null | undefined
  [field: string]: unknown
}

/** Rejects a pending tool call. */
export type ApprovalRejectEvent = {
  type: 'approval.reject'
  callId?: string | null | undefined
  /** An alias of `callId`. */
  call_id?: string | null | undefined
  /** The reason for the decision. It is sent to the model. */
  reason?: string | null | undefined
  [field: string]: unknown
}

/** A user transcript was persisted as a message. */
export interface MessageCreatedEvent {
  type: 'message.created'
  data: {
    /** The ID of the agent. Events of a sub-agent contain the ID of the sub-agent. */
    chatbotId: string
    /** The ID of the stored message. */
    id: string
    /** The author of the message. */
    role: 'user'
    /** The text of the message. */
    content: string
    /** When the message was created (UTC). */
    createdAt: string
  }
}

/** An assistant transcript was persisted. */
export interface ResponseIdEvent {
  type: 'response.id'
  data: {
    /** The ID of the agent. Events of a sub-agent contain the ID of the sub-agent. */
    chatbotId: string
    /** The ID of the stored message. */
    id: string
  }
}

/** Persistence of the assistant response completed. */
export interface ResponseCompletedEvent {
  type: 'response.completed'
  data: {
    /** The ID of the agent. Events of a sub-agent contain the ID of the sub-agent. */
    chatbotId: string
  }
}

/** A backend tool started or is waiting for approval. */
export interface ResponseFunctionInvocationStartEvent {
  type: 'response.function_invocation.start'
  data: {
    /** The ID of the stored tool message. */
    id: string
    /** The ID that the model assigned to the tool call. */
    callId: string
    /** The display name of the tool. */
    title: string
    /** The URL of the image of the tool. `null` if it has none. */
    imageUrl: string | null
    /** The ID of the agent. Events of a sub-agent contain the ID of the sub-agent. */
    chatbotId: string
    /** The arguments as a JSON string. The tool is called with exactly these arguments. */
    arguments: string
    /** Whether the call must be approved before it runs. */
    approvalRequired: boolean
    /** The name of the tool. */
    functionName: string
  }
}

/** A backend tool finished, failed, was rejected or timed out. */
export interface ResponseFunctionInvocationDoneEvent {
  type: 'response.function_invocation.done'
  data: {
    /** The ID of the stored tool message. */
    id: string
    /** The ID that the model assigned to the tool call. */
    callId: string
    /** The result of the call, shortened for display. */
    text: string
    /** The display name of the tool. */
    title: string
    /** The URL of the image of the tool. `null` if it has none. */
    imageUrl: string | null
    /** Whether the tool has a button. */
    button: boolean
    /** The label of the button. `null` if the tool has no button. */
    buttonLabel: string | null
    /** The URL that the button opens. `null` if the tool has no button. */
    buttonLink: string | null
    /** The ID of the agent. Events of a sub-agent contain the ID of the sub-agent. */
    chatbotId: string
    /** The status of the call: 0 (pending), 1 (success), 2 (failed) or 3 (pending approval). */
    status: 0 | 1 | 2 | 3
    /** The duration of the call in seconds. `0` if the tool was not run. */
    executionTimeSeconds: number
  }
}

/** A backend tool needs user approval before running. */
export interface ApprovalWaitingEvent {
  type: 'approval.waiting'
  data: {
    /** The ID that the model assigned to the tool call. */
    callId: string
    /** The ID of the stored tool message. */
    messageId: string
    /** The number of seconds until the approval expires. The default is 300. */
    timeoutSeconds: number
    /** Who can approve or reject the call: the client (`client`), or only staff (`staff`). Omitted if both can. */
    approvedBy?: 'client' | 'staff' | undefined
  }
}

/** Approval accepted; the backend is executing the tool. */
export interface ApprovalApprovedEvent {
  type: 'approval.approved'
  data: {
    /** The ID that the model assigned to the tool call. */
    callId: string
    /** The ID of the stored tool message. */
    messageId: string
  }
}

/** Approval timeout elapsed. */
export interface ApprovalExpiredEvent {
  type: 'approval.expired'
  data: {
    /** The ID that the model assigned to the tool call. */
    callId: string
    /** The ID of the stored tool message. */
    messageId: string
  }
}

/** A sub-agent invocation started. */
export interface SubagentStartEvent {
  type: 'subagent.start'
  data: {
    /** The ID of the sub-agent. */
    id: string
    /** The name of the sub-agent. */
    name: string
    /** The icon of the sub-agent. `null` if it has none. */
    icon: string | null
    /** The color of the icon. `null` for the default color. */
    iconColor: string | null
    /** The ID that the model assigned to the tool call. */
    callId: string
  }
}

/** A sub-agent invocation completed. */
export interface SubagentDoneEvent {
  type: 'subagent.done'
  data: {
    /** The ID of the agent. Events of a sub-agent contain the ID of the sub-agent. */
    chatbotId: string
  }
}

/**
 * The instance is shutting down, or has more sessions than others. Request the next session of the
 * conversation. This one ends between turns.
 */
export interface SessionMovingEvent {
  type: 'session.moving'
  data: {
    /** The number of seconds after which an instance that is shutting down ends the session even during a turn. */
    deadlineSeconds: number
  }
}

/**
 * Another realtime model answers from now on, or the same model in a new session at the provider. The session
 * and the conversation continue.
 */
export interface SessionProviderChangedEvent {
  type: 'session.provider_changed'
  data: {
    /**
     * Why the model changed. `unavailable`: it could not start the session, or it stopped responding.
     * `closed`: the provider closed the connection. `expired`: the session at the provider reached its maximum
     * duration.
     */
    reason: 'unavailable' | 'closed' | 'expired'
    /** The name of the realtime model that answers. */
    providerModelName: string
    /** Whether the model has the instructions, the tools and the history of the conversation. */
    isContextRestored: boolean
  }
}

/** A client message was rejected, or the session is about to end. */
export interface ServiceErrorEvent {
  type: 'error'
  /** The ID of the event. */
  event_id: string
  error: {
    /** The source of the error. Errors of the provider have other values. */
    type: 'service_error'
    /** The error code: the end reason of the session, or the code of the rejection. */
    code: string
    /** A human-readable description of the error. */
    message: string
    param: null
    /**
     * The `event_id` of the rejected client message. `null` if it had none, or if the error does not concern a
     * message.
     */
    event_id: string | null
  }
}

/** The service's own events on a session's socket, in addition to those of the provider. */
export type SessionEvent =
  | MessageCreatedEvent
  | ResponseIdEvent
  | ResponseCompletedEvent
  | ResponseFunctionInvocationStartEvent
  | ResponseFunctionInvocationDoneEvent
  | ApprovalWaitingEvent
  | ApprovalApprovedEvent
  | ApprovalExpiredEvent
  | SubagentStartEvent
  | SubagentDoneEvent
  | SessionMovingEvent
  | SessionProviderChangedEvent
  | ServiceErrorEvent

/** The messages on a session's socket that the service itself handles. */
export type SessionMessage =
  | ApprovalApproveEvent
  | ApprovalRejectEvent

/** Why a session ended, by the code its socket was closed with. */
export const closeCodes = {
  client_left: 1000,
  message_too_big: 1009,
  internal: 1011,
  draining: 1012,
  max_duration: 4000,
  idle_timeout: 4001,
  provider_unavailable: 4002,
  provider_closed: 4003,
  slow_consumer: 4004,
  terminated: 4005,
  budget_exceeded: 4006,
} as const

export type EndReason = keyof typeof closeCodes
