import { v7 as uuid } from 'uuid'
import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { CallableTool } from '../../../ports/tool-executor.js'
import { checkArguments } from '../running/check-arguments.js'
import type { AnnouncedCall } from './call-events.js'
import type { ToolCallState } from './tool-call.js'

type Arguments = Readonly<Record<string, unknown>>

/** A call as the model wants it. */
export interface WantedCall {
  readonly callId: string
  readonly functionName: string
  readonly argumentsText: string
  readonly tool: CallableTool | null
  /** The arguments, checked; none where they are not valid. */
  readonly given: Arguments
}

/** A call that is seen to: its machine's state, and what belongs to it. */
export interface OpenCall extends WantedCall, AnnouncedCall {
  readonly approvalId: string | null
  state: ToolCallState
  deadline: string | null
  startedAt: number | null
  isMessageAdded: boolean
  stopWatching: () => void
  readonly resolve: (output: string) => void
  readonly output: Promise<string>
}

interface KeptIds {
  readonly messageId: string
  readonly approvalId: string | null
  readonly deadline: string | null
}

export function newCall(agentId: string, wanted: WantedCall): OpenCall {
  const approvalId = wanted.tool?.approvalRequired === true ? uuid() : null
  return openCall(agentId, wanted, { messageId: uuid(), approvalId, deadline: null })
}

/** A call as its row tells of it: what a person saw is what runs. */
export function adoptedCall(approval: ApprovalRecord): OpenCall {
  const { call: tool, callId, agentId, id: approvalId, messageId, deadline } = approval
  const checked = checkArguments(tool.parameters, approval.arguments)
  const wanted = {
    callId,
    functionName: approval.tool,
    argumentsText: approval.arguments,
    tool,
    given: checked.isValid ? checked.arguments : {},
  }
  return { ...openCall(agentId, wanted, { messageId, approvalId, deadline }), isMessageAdded: true }
}

export const isOpen = ({ phase }: ToolCallState) => phase !== 'done' && phase !== 'released'

function openCall(agentId: string, wanted: WantedCall, kept: KeptIds): OpenCall {
  let resolve: (output: string) => void = () => undefined
  const output = new Promise<string>((settle) => {
    resolve = settle
  })
  return {
    ...wanted,
    ...kept,
    agentId,
    state: { phase: 'recording' },
    startedAt: null,
    isMessageAdded: false,
    stopWatching: () => undefined,
    resolve,
    output,
  }
}
