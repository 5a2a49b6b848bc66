import { type CustomEvent, ToolStatus } from '@parley/contract'
import type { ChatUsage } from '../../../ports/chat-model.js'
import type { RealtimeSessionRecord } from '../../../ports/realtime-session-store.js'
import type { CallLog } from '../../tools/calls/call-log.js'
import { callItemPrefix } from '../../tools/calls/call-message.js'
import { ToolCalls, type ToolCallsDependencies } from '../../tools/calls/tool-calls.js'
import type { SessionLog } from './session-log.js'

export interface SessionCallsHooks {
  readonly nextPosition: () => { readonly microseconds: number; readonly counter: number }
  readonly tell: (event: CustomEvent) => void
  readonly spent: (usage: ChatUsage) => void
}

/** The tool calls of a session: its agent's tools, written into the same log as its turns. */
export function makeSessionCalls(
  dependencies: ToolCallsDependencies,
  { id, organizationId, agentId, conversationId, setup }: RealtimeSessionRecord,
  turns: SessionLog,
  hooks: SessionCallsHooks,
): ToolCalls {
  return new ToolCalls(dependencies, {
    place: { organizationId, agentId, agentName: setup.agentName, conversationId },
    originId: id,
    channel: 'realtime',
    tools: setup.backendTools,
    depth: 0,
    itemPrefix: callItemPrefix,
    canBeResumed: true,
    log: callLogOf(turns),
    ...hooks,
  })
}

function callLogOf(turns: SessionLog): CallLog {
  return {
    add: (message, announce) => turns.push({ kind: 'turn', message, announce }),
    started: (messageId, announce) =>
      turns.push({
        kind: 'call',
        messageId,
        fields: { status: ToolStatus.Pending },
        approvalId: null,
        announce,
      }),
    finished: (messageId, fields, approvalId, announce) =>
      turns.push({ kind: 'call', messageId, fields, approvalId, announce }),
    withdraw: (approvalId) => turns.push({ kind: 'withdraw', approvalId }),
  }
}
