import type { CustomEvent } from '@parley/contract'
import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { MessagePosition } from '../../../ports/conversation-store.js'
import type { RealtimeSessionRecord } from '../../../ports/realtime-session-store.js'
import type { Timers } from '../../../ports/timers.js'
import { callItemPrefix } from '../../conversations/message-positions.js'
import type { CallLog } from '../../tools/calls/call-records.js'
import { ToolCalls, type ToolCallsDependencies } from '../../tools/calls/tool-calls.js'
import type { UseCounter } from '../../usage/use-counter.js'
import type { ProviderEvent } from '../protocol/provider-event.js'
import { newServiceEventId } from '../protocol/service-event.js'
import type { StartedCall } from '../timeline/timeline.js'
import { CallReader, type CallRegistry, type CallReport } from './call-reader.js'
import { ResponseRequests } from './response-requests.js'

/** No model makes so many at once; each is kept until it has its output, and every step of the sequencer copies them. */
const maxOpenCalls = 1000

/** Calls that a former session left belong to no response of this one. */
const formerResponse = 'former'

/** Where it is noted when calls begin, wait for people and end. */
export interface CallTimeline {
  startCall(call: StartedCall): void
  awaitPerson(callId: string, isAwaited: boolean): void
  endCall(callId: string): void
}

export interface BackendCallsOptions {
  readonly tools: ToolCallsDependencies
  readonly session: RealtimeSessionRecord
  readonly registry: CallRegistry
  readonly timeline: CallTimeline
  readonly timers: Timers
  /** When the provider has last sent anything. */
  readonly lastProviderFrameAt: () => number
  readonly log: CallLog
  readonly nextPosition: () => MessagePosition
  readonly emit: (event: CustomEvent) => void
  readonly uses: UseCounter
  /** Sends an event to the provider; does nothing once the session is over. */
  readonly send: (event: object) => void
  /** Something that kept the session from being idle is over. */
  readonly onActivity: () => void
  /** The provider leaves more calls open than are kept. */
  readonly onTooMany: () => void
}

/**
 * The tool calls of a session between the provider and the tools: each call is taken to the tools or left to the client,
 * and each of ours gets its one output.
 */
export class BackendCalls {
  readonly #calls: ToolCalls
  readonly #registry: CallRegistry
  readonly #timeline: CallTimeline
  readonly #send: (event: object) => void
  readonly #reader = new CallReader()
  readonly #requests: ResponseRequests
  readonly #onActivity: () => void
  readonly #onTooMany: () => void
  /** Calls of ours that were named and have no output, and those of them that were complete. */
  readonly #open = new Set<string>()
  readonly #unanswered = new Set<string>()

  constructor(options: BackendCallsOptions) {
    const { registry, timeline, send, onActivity, onTooMany } = options
    this.#calls = makeToolCalls(options)
    this.#registry = registry
    this.#timeline = timeline
    this.#send = send
    this.#onActivity = onActivity
    this.#onTooMany = onTooMany
    this.#requests = new ResponseRequests(options)
  }

  /** Whether a tool runs, or waits for a person; it does until its output is on its way. */
  get hasOpenCall(): boolean {
    return this.#unanswered.size > 0
  }

  get hasActiveResponse(): boolean {
    return this.#requests.hasActiveResponse
  }

  observe(event: ProviderEvent): void {
    this.#requests.noteResponse(event)
    // The calls that a response ends with belong to its batch: they come before its end.
    if (event.type !== 'response.done') this.#requests.observe(event)
    for (const report of this.#reader.read(event)) {
      if (this.#hasTooMany) return this.#onTooMany()
      this.#handle(report)
    }
    if (event.type === 'response.done') this.#requests.observe(event)
  }

  /** The client has requested a response itself. */
  noteClientRequest(): void {
    this.#requests.step({ type: 'clientRequest' })
  }

  /** Goes on with calls that a former session left; the provider knows them from the history. */
  adopt(approvals: readonly ApprovalRecord[]): void {
    for (const approval of approvals) {
      const { callId } = approval
      this.#registry.learn(callId, approval.tool)
      this.#addOpen(formerResponse, callId)
      void this.#postOutput(callId, this.#calls.adopt(approval))
    }
  }

  end(): void {
    this.#requests.end()
    this.#calls.end()
  }

  /** Settles when nothing runs any more. */
  settled(): Promise<void> {
    return this.#calls.settled()
  }

  get #hasTooMany(): boolean {
    return this.#open.size > maxOpenCalls || this.#registry.openClientCallCount > maxOpenCalls
  }

  #handle({ responseId, callId, name, progress, argumentsText }: CallReport): void {
    const { owner, isNew } = this.#registry.learn(callId, name)
    if (progress === 'complete')
      this.#timeline.startCall({ callId, name, runBy: owner === 'client' ? 'client' : 'service' })
    if (owner === 'client') {
      if (isNew) this.#requests.step({ type: 'clientCall', responseId })
      if (progress === 'cut-off' && this.#registry.close(callId))
        this.#requests.step({ type: 'clientCallCutOff', responseId })
      return
    }
    if (isNew) this.#addOpen(responseId, callId)
    if (progress === 'named' || this.#calls.knows(callId)) return
    const output =
      progress === 'complete'
        ? this.#calls.call(callId, name, argumentsText)
        : this.#calls.interrupted(callId, name, argumentsText)
    void this.#postOutput(callId, output)
  }

  #addOpen(responseId: string, callId: string): void {
    this.#open.add(callId)
    this.#requests.step({ type: 'backendCall', responseId, callId })
  }

  async #postOutput(callId: string, whenDone: Promise<string>): Promise<void> {
    this.#unanswered.add(callId)
    const output = await whenDone
    this.#unanswered.delete(callId)
    this.#open.delete(callId)
    this.#timeline.endCall(callId)
    this.#onActivity()
    const item = { type: 'function_call_output', call_id: callId, output }
    this.#send({ type: 'conversation.item.create', event_id: newServiceEventId(), item })
    this.#requests.step({ type: 'outputPosted', callId })
  }
}

/** The agent's tools, called in the session's name and written into its log. */
function makeToolCalls(options: BackendCallsOptions): ToolCalls {
  const { tools, session, timeline, log, nextPosition, emit, uses } = options
  const { id, organizationId, agentId, conversationId, setup } = session
  return new ToolCalls(tools, {
    caller: { organizationId, agentId, agentName: setup.agentName, conversationId },
    originId: id,
    channel: 'realtime',
    tools: setup.backendTools,
    rehearsal: setup.rehearsal ?? null,
    approvedBy: setup.approvedBy ?? 'either',
    depth: 0,
    itemPrefix: callItemPrefix,
    canBeResumed: true,
    log,
    nextPosition,
    emit,
    uses,
    onPersonAwaited: (isAwaited, callId) => timeline.awaitPerson(callId, isAwaited),
  })
}
