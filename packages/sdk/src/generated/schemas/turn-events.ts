// Generated from the contract by `npm run generate`. Do not edit.

import type {
  MessageCreatedEvent,
  ResponseIdEvent,
  ResponseFunctionInvocationStartEvent,
  ResponseFunctionInvocationDoneEvent,
  ApprovalWaitingEvent,
  ApprovalApprovedEvent,
  ApprovalExpiredEvent,
  SubagentStartEvent,
  SubagentDoneEvent,
} from './session-events.js'

/** The question was accepted. This is always the first event. */
export interface TurnStartedEvent {
  type: 'turn.started'
  data: {
    /** The ID of the conversation. */
    conversationId: string
    /** The ID of the turn. Use it to resume the stream or to stop the turn. */
    turnId: string
  }
}

/** The next part of the answer. */
export interface ResponseTextDeltaEvent {
  type: 'response.text.delta'
  data: {
    /** The ID of the agent. Events of a sub-agent contain the ID of the sub-agent. */
    chatbotId: string
    /** The ID of the stored answer. */
    id: string
    /** The next part of the text. */
    delta: string
  }
}

/** Persistence of the assistant response completed. */
export interface TurnResponseCompletedEvent {
  type: 'response.completed'
  data: {
    /** The ID of the agent. Events of a sub-agent contain the ID of the sub-agent. */
    chatbotId: string
    /** The answer as a value. Only for a question with `responseSchema`. */
    output?: Record<string, unknown> | undefined
  }
}

/** The turn ended without a complete answer. This is always the last event. */
export interface TurnErrorEvent {
  type: 'error'
  data: {
    /**
     * The error code. `model_unavailable`: the model failed permanently. `turn_stopped`: it was stopped.
     * `interrupted`: the service stopped. `internal`: the service failed. `budget_exceeded`: a budget is used
     * up. `response_schema_not_met`: the answer does not match.
     */
    code: 'model_unavailable' | 'turn_stopped' | 'interrupted' | 'internal' | 'budget_exceeded' | 'response_schema_not_met'
    /** A human-readable description of the error. */
    message: string
  }
}

/** The data of one server-sent event of a turn. The IDs of the events are consecutive numbers that start at 1. */
export type TurnEvent =
  | TurnStartedEvent
  | ResponseTextDeltaEvent
  | MessageCreatedEvent
  | ResponseIdEvent
  | TurnResponseCompletedEvent
  | ResponseFunctionInvocationStartEvent
  | ResponseFunctionInvocationDoneEvent
  | ApprovalWaitingEvent
  | ApprovalApprovedEvent
  | ApprovalExpiredEvent
  | SubagentStartEvent
  | SubagentDoneEvent
  | TurnErrorEvent
