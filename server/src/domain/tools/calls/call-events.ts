import type { CustomEvent } from '@parley/contract'
import type { CallableTool } from '../../../ports/tool-executor.js'
import type { AnswerEffect } from './tool-call.js'

/** How much of a result a person is shown. */
const maxShownCharacters = 2000

/** A call as the model made it, and the message it is stored as. */
export interface MadeCall {
  readonly messageId: string
  readonly callId: string
  /** The agent that calls: a sub-agent has its own id. */
  readonly agentId: string
  readonly functionName: string
  readonly argumentsText: string
  /** Null where the model has made the name up. */
  readonly tool: CallableTool | null
}

export function startEvent(call: MadeCall, approvalRequired: boolean): CustomEvent {
  const { tool } = call
  if (tool?.action.kind === 'subagent') {
    const { agentId: id, agentName: name, icon, iconColor } = tool.action
    return { type: 'subagent.start', data: { id, name, icon, iconColor, callId: call.callId } }
  }
  return {
    type: 'response.function_invocation.start',
    data: {
      id: call.messageId,
      callId: call.callId,
      title: tool?.title ?? call.functionName,
      imageUrl: tool?.imageUrl ?? null,
      chatbotId: call.agentId,
      arguments: call.argumentsText,
      approvalRequired,
      functionName: call.functionName,
    },
  }
}

export function doneEvent(
  call: MadeCall,
  { status, output, executionTimeSeconds }: Pick<AnswerEffect, 'status' | 'output' | 'executionTimeSeconds'>,
): CustomEvent {
  const { tool } = call
  if (tool?.action.kind === 'subagent')
    return { type: 'subagent.done', data: { chatbotId: tool.action.agentId } }
  return {
    type: 'response.function_invocation.done',
    data: {
      id: call.messageId,
      callId: call.callId,
      text: shortened(output),
      title: tool?.title ?? call.functionName,
      imageUrl: tool?.imageUrl ?? null,
      button: tool?.button !== null && tool?.button !== undefined,
      buttonLabel: tool?.button?.label ?? null,
      buttonLink: tool?.button?.link ?? null,
      chatbotId: call.agentId,
      status,
      executionTimeSeconds,
    },
  }
}

function shortened(text: string): string {
  return text.length <= maxShownCharacters
    ? text
    : `${text.slice(0, maxShownCharacters).replace(/[\uD800-\uDBFF]$/, '')}…`
}
