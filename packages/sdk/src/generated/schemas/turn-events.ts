// Generated from the contract by `npm run generate`. What is changed here is lost.

import type {
  MessageCreatedEvent,
  ResponseIdEvent,
  ResponseCompletedEvent,
  ResponseFunctionInvocationStartEvent,
  ResponseFunctionInvocationDoneEvent,
  ApprovalWaitingEvent,
  ApprovalApprovedEvent,
  ApprovalExpiredEvent,
  SubagentStartEvent,
  SubagentDoneEvent,
} from './session-events.js'

/** The question was accepted. It is always the first event. */
export interface TurnStartedEvent {
  type: 'turn.started'
  data: {
    /** The conversation of the question. */
    conversationId: string
    /** The id of the turn, to follow it again or to stop it. */
    turnId: string
  }
}

/** The next words of the answer. */
export interface ResponseTextDeltaEvent {
  type: 'response.text.delta'
  data: {
    /** The id of the agent. Events of a sub-agent have its own id. */
    chatbotId: string
    /** The id of the stored answer. */
    id: string
    /** The next words. */
    delta: string
  }
}

/** The turn ended without a complete answer. It is the last event. */
export interface TurnErrorEvent {
  type: 'error'
  data: {
    /**
     * The reason: the model failed permanently, the turn was stopped, the service stopped or failed, or a
     * budget is used up.
     */
    code: 'model_unavailable' | 'turn_stopped' | 'interrupted' | 'internal' | 'budget_exceeded'
    /** A description of what happened. */
    message: string
  }
}

/** The data of one server-sent event of a turn. The event's id counts from 1. */
export type TurnEvent =
  | TurnStartedEvent
  | ResponseTextDeltaEvent
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
  | TurnErrorEvent
