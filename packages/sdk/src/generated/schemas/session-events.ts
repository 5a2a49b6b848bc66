// Generated from the contract by `npm run generate`. What is changed here is lost.

/** Approves the pending tool call. */
export type ApprovalApproveEvent = {
  type: 'approval.approve'
  callId?: string | null | undefined
  /** The same, in the other accepted spelling. */
  call_id?: string | null | undefined
  /** The reason. The model reads it. */
  reason?: string | null | undefined
  [field: string]: unknown
}

/** Rejects the pending tool call. */
export type ApprovalRejectEvent = {
  type: 'approval.reject'
  callId?: string | null | undefined
  /** The same, in the other accepted spelling. */
  call_id?: string | null | undefined
  /** The reason. The model reads it. */
  reason?: string | null | undefined
  [field: string]: unknown
}

/** A user transcript was persisted as a message. */
export interface MessageCreatedEvent {
  type: 'message.created'
  data: {
    /** The id of the agent. Events of a sub-agent have its own id. */
    chatbotId: string
    /** The id of the stored message. */
    id: string
    /** Who said it. */
    role: 'user'
    /** The words. */
    content: string
    /** When it was said (UTC). */
    createdAt: string
  }
}

/** An assistant transcript was persisted. */
export interface ResponseIdEvent {
  type: 'response.id'
  data: {
    /** The id of the agent. Events of a sub-agent have its own id. */
    chatbotId: string
    /** The id of the stored message. */
    id: string
  }
}

/** Persistence of the assistant response completed. */
export interface ResponseCompletedEvent {
  type: 'response.completed'
  data: {
    /** The id of the agent. Events of a sub-agent have its own id. */
    chatbotId: string
  }
}

/** A backend tool started or is waiting for approval. */
export interface ResponseFunctionInvocationStartEvent {
  type: 'response.function_invocation.start'
  data: {
    /** The id of the stored tool message. */
    id: string
    /** The provider's id of the tool call. */
    callId: string
    /** The tool's title, else its name. */
    title: string
    /** The tool's picture, or null. */
    imageUrl: string | null
    /** The id of the agent. Events of a sub-agent have its own id. */
    chatbotId: string
    /** The arguments as JSON text. The call runs with exactly these. */
    arguments: string
    /** Whether the call needs approval first. */
    approvalRequired: boolean
    /** The tool's name. */
    functionName: string
  }
}

/** A backend tool finished, failed, was rejected or timed out. */
export interface ResponseFunctionInvocationDoneEvent {
  type: 'response.function_invocation.done'
  data: {
    /** The id of the stored tool message. */
    id: string
    /** The provider's id of the tool call. */
    callId: string
    /** The shortened result, for display. */
    text: string
    /** The tool's title, else its name. */
    title: string
    /** The tool's picture, or null. */
    imageUrl: string | null
    /** Whether the tool has a button. */
    button: boolean
    /** The label of the button. */
    buttonLabel: string | null
    /** The address that the button opens. */
    buttonLink: string | null
    /** The id of the agent. Events of a sub-agent have its own id. */
    chatbotId: string
    /** 0 pending, 1 success, 2 failed, 3 pending approval. */
    status: 0 | 1 | 2 | 3
    /** The duration of the call. 0 if it did not run. */
    executionTimeSeconds: number
  }
}

/** A backend tool needs user approval before running. */
export interface ApprovalWaitingEvent {
  type: 'approval.waiting'
  data: {
    /** The provider's id of the tool call. */
    callId: string
    /** The id of the stored tool message. */
    messageId: string
    /** Seconds until the approval expires. Default: 300. */
    timeoutSeconds: number
    /** Set if only one side may decide. `staff`: this client may not. Left out if both may. */
    approvedBy?: 'client' | 'staff' | undefined
  }
}

/** Approval accepted; the backend is executing the tool. */
export interface ApprovalApprovedEvent {
  type: 'approval.approved'
  data: {
    /** The provider's id of the tool call. */
    callId: string
    /** The id of the stored tool message. */
    messageId: string
  }
}

/** Approval timeout elapsed. */
export interface ApprovalExpiredEvent {
  type: 'approval.expired'
  data: {
    /** The provider's id of the tool call. */
    callId: string
    /** The id of the stored tool message. */
    messageId: string
  }
}

/** A sub-agent invocation started. */
export interface SubagentStartEvent {
  type: 'subagent.start'
  data: {
    /** The sub-agent's id. */
    id: string
    /** The sub-agent's name. */
    name: string
    /** The sub-agent's icon. */
    icon: string | null
    /** The color of the sub-agent's icon. */
    iconColor: string | null
    /** The provider's id of the tool call. */
    callId: string
  }
}

/** A sub-agent invocation completed. */
export interface SubagentDoneEvent {
  type: 'subagent.done'
  data: {
    /** The id of the agent. Events of a sub-agent have its own id. */
    chatbotId: string
  }
}

/** A client message was rejected, or the session is about to end. */
export interface ServiceErrorEvent {
  type: 'error'
  /** The id of this event. */
  event_id: string
  error: {
    /** The source of the error: the service, not the provider. */
    type: 'service_error'
    /** The code of the error: an end reason or a rejection. */
    code: string
    /** What went wrong. */
    message: string
    param: null
    /** The `event_id` of the rejected client message, if it had one. */
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
