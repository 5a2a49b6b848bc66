import type { EventOf, SessionEvent } from './session-event.js'

/*
 * One turn, from the question to the end of its answer.
 *
 *   waiting ──response──► answering ──done, no calls──► answered
 *                             └──calls──► all outputs sent ──► waiting for the response that reads them
 *
 * A response with tool calls is followed by another response. The service's events come after the provider's, because it
 * stores them first. The turn waits for them as well.
 */
export interface Turn {
  readonly result: 'pending' | 'answered' | 'failed'
  readonly isResponding: boolean
  /** Calls of the model without an output. */
  readonly openCalls: ReadonlySet<string>
  readonly answeredCalls: ReadonlySet<string>
  /** Calls that the service has started and not finished, including those of sub-agents. */
  readonly runningTools: ReadonlySet<string>
  /** An output was sent that no response has read yet. */
  readonly isResponseOwed: boolean
  /** Spoken messages that the service has not stored yet. */
  readonly unstoredMessages: number
}

export const newTurn: Turn = {
  result: 'pending',
  isResponding: false,
  openCalls: new Set(),
  answeredCalls: new Set(),
  runningTools: new Set(),
  isResponseOwed: false,
  unstoredMessages: 0,
}

/** The answer is complete, except for the service's confirmation that it is stored. */
export function isOver(turn: Turn): boolean {
  const isIdle = !turn.isResponding && !turn.isResponseOwed
  return turn.result !== 'pending' && isIdle && turn.openCalls.size === 0 && turn.runningTools.size === 0
}

export function isSettled(turn: Turn): boolean {
  return isOver(turn) && (turn.unstoredMessages === 0 || turn.result === 'failed')
}

export function stepTurn(turn: Turn, event: SessionEvent): Turn {
  switch (event.type) {
    case 'input_audio_buffer.speech_started':
      return { ...turn, result: 'pending' }
    case 'response.created':
      return { ...turn, result: 'pending', isResponding: true, isResponseOwed: false }
    case 'response.done':
      return stepResponseDone(turn, event.response)
    case 'response.output_audio_transcript.done':
    case 'response.output_text.done':
      return { ...turn, unstoredMessages: turn.unstoredMessages + 1 }
    case 'response.completed':
      return { ...turn, unstoredMessages: Math.max(0, turn.unstoredMessages - 1) }
    case 'conversation.item.added':
    case 'conversation.item.created':
      return event.item.type === 'function_call_output' && event.item.call_id
        ? answerCall(turn, event.item.call_id)
        : turn
    case 'response.function_invocation.start':
      return { ...turn, runningTools: new Set([...turn.runningTools, event.data.callId]) }
    case 'response.function_invocation.done':
      return { ...turn, runningTools: without(turn.runningTools, event.data.callId) }
    case 'error':
      // Without an active response, the question itself failed.
      return turn.result === 'pending' && isNothingUnderWay(turn) ? { ...turn, result: 'failed' } : turn
    default:
      return turn
  }
}

function stepResponseDone(turn: Turn, response: EventOf<'response.done'>['response']): Turn {
  const calls = response.output.flatMap((item) =>
    item.type === 'function_call' && item.call_id ? [item.call_id] : [],
  )
  const unanswered = calls.filter((call) => !turn.answeredCalls.has(call))
  return {
    ...turn,
    isResponding: false,
    openCalls: new Set([...turn.openCalls, ...unanswered]),
    result: calls.length > 0 ? 'pending' : resultOf(response),
  }
}

function resultOf({ status, status_details }: EventOf<'response.done'>['response']): Turn['result'] {
  if (status === 'failed') return 'failed'
  // The user continued to speak, so the answer to the whole question is still to come.
  return status === 'cancelled' && status_details?.reason === 'turn_detected' ? 'pending' : 'answered'
}

function answerCall(turn: Turn, call: string): Turn {
  return {
    ...turn,
    openCalls: without(turn.openCalls, call),
    answeredCalls: new Set([...turn.answeredCalls, call]),
    isResponseOwed: true,
  }
}

function isNothingUnderWay(turn: Turn): boolean {
  return !turn.isResponding && turn.openCalls.size === 0 && turn.runningTools.size === 0
}

function without(calls: ReadonlySet<string>, call: string): ReadonlySet<string> {
  return new Set([...calls].filter((other) => other !== call))
}
