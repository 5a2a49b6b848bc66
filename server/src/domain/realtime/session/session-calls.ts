import type { CustomEvent } from '@parley/contract'
import type { ChatUsage } from '../../../ports/chat-model.js'
import type { MessagePosition } from '../../../ports/conversation-store.js'
import type { RealtimeSessionRecord } from '../../../ports/realtime-session-store.js'
import { callItemPrefix } from '../../conversations/call-items.js'
import { ToolCalls, type ToolCallsDependencies } from '../../tools/calls/tool-calls.js'
import type { SessionLog } from './session-log.js'

export interface SessionCallsOptions {
  readonly session: RealtimeSessionRecord
  readonly log: SessionLog
  readonly nextPosition: () => MessagePosition
  readonly emit: (event: CustomEvent) => void
  readonly onUsage: (usage: ChatUsage) => void
}

/** The tool calls of a session: its agent's tools, written into the same log as its words. */
export function makeSessionCalls(
  dependencies: ToolCallsDependencies,
  { session, ...options }: SessionCallsOptions,
): ToolCalls {
  const { id, organizationId, agentId, conversationId, setup } = session
  return new ToolCalls(dependencies, {
    ...options,
    scope: { organizationId, agentId, agentName: setup.agentName, conversationId },
    originId: id,
    channel: 'realtime',
    tools: setup.backendTools,
    depth: 0,
    itemPrefix: callItemPrefix,
    canBeResumed: true,
    onPersonAwaited: () => undefined,
  })
}
