import type { Agent, Approval, Message } from '@parley/sdk'
import { type CallStatus, type Entry, newCall, newMessageEntry } from './entry'

const statuses: readonly CallStatus[] = ['running', 'done', 'failed', 'waiting']

/** Converts stored messages to thread entries. */
export function storedEntries(
  messages: readonly Message[],
  agent: Agent,
  waiting: readonly Approval[],
): readonly Entry[] {
  return messages.map((message) => storedEntry(message, agent, waiting))
}

function storedEntry(message: Message, agent: Agent, waiting: readonly Approval[]): Entry {
  const { id, role, content, channel, interrupted, failure } = message
  if (role === 'user' || role === 'assistant')
    return newMessageEntry({
      id,
      role,
      channel,
      text: content,
      isFinal: true,
      isInterrupted: interrupted,
      failure,
    })
  const name = message.name ?? role
  const callId = message.callId ?? id
  const status = statuses[message.status ?? 0] ?? 'unknown'
  const approval = waiting.find((each) => each.callId === callId)
  const deadline = approval?.deadline
  return newCall({
    callId,
    name,
    title:
      role === 'subagent'
        ? agentNameOf(name)
        : (approval?.title ?? agent.tools.find((tool) => tool.name === name)?.title ?? name),
    argumentsText: message.arguments ?? '',
    status: status === 'waiting' && deadline === undefined ? 'unknown' : status,
    result: content === '' ? null : content,
    seconds: message.executionTimeSeconds,
    deadline: deadline === undefined ? null : Date.parse(deadline),
    agentId: role === 'subagent' ? id : null,
  })
}

/** The tool name of a sub-agent is derived from its name: `ask_front_desk`. */
function agentNameOf(toolName: string): string {
  const title = toolName.replace(/^ask_/, '').replaceAll('_', ' ')
  return title.charAt(0).toUpperCase() + title.slice(1)
}
