import { v7 as uuid } from 'uuid'
import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { MadeCall } from './call-events.js'
import type { ToolCallState } from './tool-call.js'

/** A call that is being handled: its machine's state, and who waits for its output. */
export interface OpenCall extends MadeCall {
  state: ToolCallState
  stopWatching: () => void
  readonly resolve: (output: string) => void
  readonly output: Promise<string>
}

export function openCall(call: Omit<MadeCall, 'messageId'>, state: ToolCallState): OpenCall {
  return withOutput({ ...call, messageId: uuid() }, state)
}

/** A call as its row describes it: what a person saw is what runs. */
export function adoptedCall(approval: ApprovalRecord, state: ToolCallState): OpenCall {
  const { call: tool, callId, agentId, messageId, tool: functionName, arguments: argumentsText } = approval
  return withOutput({ callId, agentId, messageId, tool, functionName, argumentsText }, state)
}

export const isOpen = ({ phase }: ToolCallState) => phase !== 'done' && phase !== 'released'

function withOutput(call: MadeCall, state: ToolCallState): OpenCall {
  let resolve: (output: string) => void = () => undefined
  const output = new Promise<string>((settle) => {
    resolve = settle
  })
  return { ...call, state, stopWatching: () => undefined, resolve, output }
}
