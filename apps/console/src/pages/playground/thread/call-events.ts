import type { TurnEvent } from '@parley/sdk'
import { type Call, newCall } from './entry'
import { editCall, findCall, putEntry, type Thread } from './thread'

const success = 1

/** Applies tool and agent events. Session sockets and turn streams send the same events. */
export function stepCalls(thread: Thread, event: TurnEvent): Thread {
  switch (event.type) {
    case 'response.function_invocation.start': {
      const {
        callId,
        functionName,
        title,
        arguments: argumentsText,
        approvalRequired,
        chatbotId,
      } = event.data
      const known = findCall(thread, callId)
      const call = newCall({
        callId,
        name: functionName,
        title,
        argumentsText,
        status: approvalRequired ? 'waiting' : 'running',
        by: nameOfAgent(thread, chatbotId),
        deadline: known?.deadline ?? null,
      })
      return putEntry(thread, call)
    }
    case 'approval.waiting':
      return editCall(thread, event.data.callId, {
        status: 'waiting',
        // A resumed turn repeats the event. The timer keeps running.
        deadline:
          findCall(thread, event.data.callId)?.deadline ?? Date.now() + event.data.timeoutSeconds * 1000,
      })
    case 'approval.approved':
      return editCall(thread, event.data.callId, { status: 'running', deadline: null })
    case 'approval.expired':
      return editCall(thread, event.data.callId, {
        status: 'failed',
        deadline: null,
        result: 'Approval expired.',
      })
    case 'response.function_invocation.done': {
      const { callId, status, text, executionTimeSeconds, buttonLabel, buttonLink } = event.data
      return editCall(thread, callId, {
        status: status === success ? 'done' : 'failed',
        result: text,
        seconds: executionTimeSeconds,
        deadline: null,
        button: buttonLabel !== null && buttonLink !== null ? { label: buttonLabel, link: buttonLink } : null,
      })
    }
    case 'subagent.start': {
      const { callId, id, name } = event.data
      return putEntry(thread, newCall({ callId, name, title: name, agentId: id }))
    }
    case 'subagent.done':
      return endAgent(thread, event.data.chatbotId)
    default:
      return thread
  }
}

/** The event has no text. It is loaded from the conversation. */
function endAgent(thread: Thread, agentId: string): Thread {
  const call = thread.entries.findLast(
    (entry): entry is Call =>
      entry.kind === 'call' && entry.agentId === agentId && entry.status === 'running',
  )
  return call === undefined ? thread : putEntry(thread, { ...call, status: 'done' })
}

function nameOfAgent(thread: Thread, agentId: string): string | null {
  const call = thread.entries.findLast((entry) => entry.kind === 'call' && entry.agentId === agentId)
  return call?.kind === 'call' ? call.title : null
}
