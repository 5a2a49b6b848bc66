import type { MessagePosition } from '../../../ports/conversation-stores.js'
import type { RealtimeSessionRecord } from '../../../ports/realtime-stores.js'
import type { ApprovalRecord } from '../../../ports/task-stores.js'
import { callItemPrefix } from '../../conversations/message-positions.js'
import type { CallContext, CallLog } from '../../tools/calls/call-records.js'
import type { ToolCalls } from '../../tools/calls/tool-calls.js'
import type { UseCounter } from '../../usage/use-counter.js'
import type { ProviderEvent } from '../protocol/provider-event.js'
import { newServiceEventId } from '../protocol/service-frames.js'
import type { SessionListener, SocketActivity } from '../session-listener.js'
import type { StartedTool } from '../timeline/timeline.js'
import { CallReader, type CallRegistry, type CallReport, type MadeCall } from './call-reader.js'
import { ClientCallLog } from './client-call-log.js'
import { type PendingRequests, ResponseRequests, type ResponseRequestsParts } from './response-requests.js'

/**
 * The maximum number of open calls. No model reaches it. It exists because open calls are stored, and every
 * step of the sequencer copies them.
 */
const maxOpenCalls = 1000

/** The response id of calls from earlier sessions and former providers. No response has this id. */
const formerResponse = 'former'

/** Records when calls begin, wait for approval and end. */
export interface CallTimeline {
  startCall(call: StartedTool): void
  setAwaitingApproval(callId: string, isAwaited: boolean): void
  endCall(callId: string): void
}

export interface BackendCallsParts extends ResponseRequestsParts {
  readonly toolCalls: ToolCalls
  readonly registry: CallRegistry
  readonly timeline: CallTimeline
}

/**
 * Handles the tool calls of a session. Runs the service's tools and posts exactly one output per call. Calls
 * of client tools are left to the client.
 */
export class BackendCalls {
  readonly #calls: ToolCalls
  readonly #registry: CallRegistry
  readonly #timeline: CallTimeline
  readonly #activity: SocketActivity
  readonly #listener: ResponseRequestsParts['listener']
  readonly #parts: ResponseRequestsParts
  #reader = new CallReader()
  #requests: ResponseRequests
  /**
   * The calls of the service's tools whose output was not sent yet, and those of them whose tool is running.
   */
  readonly #open = new Map<string, MadeCall>()
  readonly #unanswered = new Set<string>()
  readonly #clientCalls = new ClientCallLog()
  /** The outputs that wait for the next provider. Null while there is a provider. */
  #held: Map<string, string> | null = null

  constructor(parts: BackendCallsParts) {
    this.#calls = parts.toolCalls
    this.#registry = parts.registry
    this.#timeline = parts.timeline
    this.#activity = parts.activity
    this.#listener = parts.listener
    this.#parts = parts
    this.#requests = new ResponseRequests(parts)
  }

  /** Whether a call has no output yet: its tool is running, or it waits for approval. */
  get hasOpenCall(): boolean {
    return this.#unanswered.size > 0
  }

  /** Whether all open calls wait for people. */
  get isOnlyWaiting(): boolean {
    return this.#calls.isOnlyWaiting
  }

  get hasActiveResponse(): boolean {
    return this.#requests.hasActiveResponse
  }

  get activeResponses(): readonly string[] {
    return this.#requests.activeResponses
  }

  get pendingRequests(): PendingRequests {
    return this.#requests.pending
  }

  get isTextOnly(): boolean {
    return this.#requests.isTextOnly
  }

  /** The calls that the next provider must know, because their outputs follow. */
  get madeCalls(): readonly MadeCall[] {
    return [...this.#open.values(), ...this.#clientCalls.made]
  }

  /** The outputs of the client that no completed response has read. */
  get clientOutputs(): readonly Buffer[] {
    return this.#clientCalls.outputs
  }

  /** Called when the provider is lost. Tools continue to run, and their outputs wait for the next provider. */
  leave(): void {
    this.#requests.end()
    this.#held = new Map()
  }

  /** Called when another provider has joined that knows the open calls. */
  join(): void {
    this.#requests = new ResponseRequests(this.#parts, this.#requests)
    this.#reader = new CallReader()
    for (const callId of this.#open.keys())
      this.#requests.step({ type: 'backendCall', responseId: formerResponse, callId })
  }

  /** Sends the outputs of the tools that have finished since the last provider was lost. */
  sendHeld(): void {
    const held = this.#held ?? []
    this.#held = null
    for (const [callId, output] of held) this.#send(callId, output)
  }

  /** Called when the client has answered a call with this frame. */
  noteClientOutput(callId: string, frame: Buffer): void {
    this.#clientCalls.answer(callId, frame)
  }

  observe(event: ProviderEvent): void {
    this.#requests.noteResponse(event)
    this.#clientCalls.observe(event)
    // Calls in the event that ends a response belong to the batch of that response, so they are handled
    // first.
    if (event.type !== 'response.done') this.#requests.observe(event)
    for (const report of this.#reader.read(event)) {
      if (this.#hasTooMany)
        return this.#listener.end(
          'provider_closed',
          'The provider makes more concurrent calls than this service supports.',
        )
      this.#handle(report)
    }
    if (event.type === 'response.done') this.#requests.observe(event)
  }

  /** Called when the client requests a response. */
  noteRequest(): void {
    this.#requests.step({ type: 'clientRequest' })
  }

  /** Called when the service has requested the answer that a lost provider owed. The client's requests wait for its end. */
  holdRequests(): void {
    this.#requests.startHolding()
  }

  /** Whether the client's requests must wait. */
  get isHolding(): boolean {
    return this.#requests.isHolding
  }

  /** Calls `send`, which sends the client's request, when it need no longer wait. A newer request replaces it. */
  hold(send: () => void): void {
    this.#requests.hold(send)
  }

  /** Called when the provider is lost. The request then counts as lost with it. */
  releaseHeldRequest(): void {
    this.#requests.endHolding()
  }

  /** Called when the client cancels the response that it has requested. */
  dropHeldRequest(): void {
    this.#requests.dropHeld()
  }

  /** Resumes unfinished calls of an earlier session. The provider knows them from the history. */
  adopt(approvals: readonly ApprovalRecord[]): void {
    for (const approval of approvals) {
      const { callId } = approval
      this.#registry.learn(callId, approval.tool)
      this.#addOpen(formerResponse, { callId, name: approval.tool, argumentsText: approval.arguments })
      void this.#postOutput(callId, this.#calls.adopt(approval))
    }
  }

  end(): void {
    this.#requests.end()
    this.#calls.end()
  }

  /** Settles when no tool is running. */
  settled(): Promise<void> {
    return this.#calls.settled()
  }

  get #hasTooMany(): boolean {
    return this.#open.size > maxOpenCalls || this.#registry.openClientCallCount > maxOpenCalls
  }

  #handle(report: CallReport): void {
    const { responseId, callId, name, progress, argumentsText } = report
    const { owner, isNew } = this.#registry.learn(callId, name)
    if (progress === 'complete')
      this.#timeline.startCall({ callId, name, runBy: owner === 'client' ? 'client' : 'service' })
    if (owner === 'client') {
      if (isNew) this.#requests.step({ type: 'clientCall', responseId })
      if (progress === 'complete') this.#clientCalls.add(report)
      if (progress === 'cut-off' && this.#registry.close(callId))
        this.#requests.step({ type: 'clientCallCutOff', responseId })
      return
    }
    if (isNew) this.#addOpen(responseId, report)
    else if (progress === 'complete' && this.#open.has(callId)) this.#open.set(callId, madeCall(report))
    if (progress === 'named' || this.#calls.knows(callId)) return
    const output =
      progress === 'complete'
        ? this.#calls.call(callId, name, argumentsText)
        : this.#calls.interrupted(callId, name, argumentsText)
    void this.#postOutput(callId, output)
  }

  #addOpen(responseId: string, call: MadeCall): void {
    const { callId } = call
    this.#open.set(callId, madeCall(call))
    this.#requests.step({ type: 'backendCall', responseId, callId })
  }

  async #postOutput(callId: string, whenDone: Promise<string>): Promise<void> {
    this.#unanswered.add(callId)
    const output = await whenDone
    this.#unanswered.delete(callId)
    this.#timeline.endCall(callId)
    this.#activity.noteActivity()
    if (this.#held === null) this.#send(callId, output)
    else this.#held.set(callId, output)
  }

  #send(callId: string, output: string): void {
    this.#open.delete(callId)
    const item = { type: 'function_call_output', call_id: callId, output }
    this.#listener.sendToProvider({ type: 'conversation.item.create', event_id: newServiceEventId(), item })
    this.#requests.step({ type: 'outputPosted', callId })
  }
}

/** Without a field of the report that only its response needs. */
const madeCall = ({ callId, name, argumentsText }: MadeCall): MadeCall => ({ callId, name, argumentsText })

interface CallRecorders {
  readonly log: CallLog
  readonly timeline: CallTimeline
  readonly uses: UseCounter
  readonly nextPosition: () => MessagePosition
  readonly listener: Pick<SessionListener, 'emit'>
}

/** Returns the context that all calls of a session share. */
export function callContext(
  { id, organizationId, agentId, conversationId, endUserId, setup }: RealtimeSessionRecord,
  { log, timeline, uses, nextPosition, listener }: CallRecorders,
): CallContext {
  return {
    caller: { organizationId, agentId, agentName: setup.agentName, conversationId, endUserId },
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
    emit: (event) => listener.emit(event),
    uses,
    onApprovalAwaited: (isAwaited, callId) => timeline.setAwaitingApproval(callId, isAwaited),
  }
}
