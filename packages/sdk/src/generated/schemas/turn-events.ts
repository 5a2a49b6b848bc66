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

/** The question was taken; it is always the first event. */
export interface TurnStartedEvent {
  type: 'turn.started'
  data: {
    /** The conversation the question belongs to. */
    conversationId: string
    /** The turn, to follow it again or to stop it. */
    turnId: string
  }
}

/** The answer goes on with these words. */
export interface ResponseTextDeltaEvent {
  type: 'response.text.delta'
  data: {
    /** The id of the agent; a sub-agent has its own on its own events. */
    chatbotId: string
    /** The id under which the answer will be stored. */
    id: string
    /** The next words. */
    delta: string
  }
}

/** The turn ended without a complete answer; it is the last event. */
export interface TurnErrorEvent {
  type: 'error'
  data: {
    /**
     * What happened: the model failed for good, somebody stopped the turn, the service stopped, it failed, or
     * a budget is used up.
     */
    code: 'model_unavailable' | 'turn_stopped' | 'interrupted' | 'internal' | 'budget_exceeded'
    /** What happened, in words. */
    message: string
  }
}

/** The data of one server-sent event of a turn; the event's id counts from 1. */
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
