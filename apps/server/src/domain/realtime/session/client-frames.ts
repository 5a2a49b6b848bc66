import type { CustomEvent, RejectionCode } from '@parley/contract'
import type { RealtimeSessionRecord } from '../../../ports/realtime-stores.js'
import { type ApprovalChoice, refusalOf } from '../../tools/approvals/approvals.js'
import type { ClientDecision, WaitingApprovals } from '../../tools/approvals/waiting-approvals.js'
import { idField, isObject, parseJson, textField } from '../protocol/json-fields.js'
import {
  type ClientEvent,
  type ClientFrameVerdict,
  judgeClientFrame,
} from '../protocol/judge-client-frame.js'
import { errorEvent } from '../protocol/service-frames.js'
import type { SessionListener } from '../session-listener.js'
import type { SessionBackend } from './session-backend.js'
import type { UnansweredInput } from './unanswered-input.js'

export interface ClientFramesParts {
  /** Null if the session cannot move to another provider. */
  readonly unanswered: UnansweredInput | null
  readonly session: RealtimeSessionRecord
  readonly waitingApprovals: WaitingApprovals
  readonly backend: SessionBackend
  readonly listener: SessionListener
}

/**
 * Handles all client frames except plain audio: forwards them, refuses them, or passes on decisions about
 * calls.
 */
export class ClientFrames {
  readonly #backend: SessionBackend
  readonly #listener: SessionListener
  readonly #decisions: ClientDecisions
  readonly #unanswered: UnansweredInput | null

  constructor({ session, waitingApprovals, backend, listener, unanswered }: ClientFramesParts) {
    this.#unanswered = unanswered
    this.#backend = backend
    this.#listener = listener
    this.#decisions = new ClientDecisions(session, waitingApprovals)
  }

  /** Called before each custom event is sent to the client. */
  observe(event: CustomEvent): void {
    this.#decisions.observe(event)
  }

  handle(data: Buffer, isBinary: boolean): void {
    const { registry } = this.#backend
    const verdict = judgeClientFrame(data, isBinary, (callId) => registry.isClientCall(callId))
    switch (verdict.kind) {
      case 'refuse':
        this.#refuse(verdict.code, verdict.message, verdict.eventId)
        break
      case 'decide':
        void this.#decide(verdict)
        break
      case 'forward':
        if (this.#backend.hasFormerItems && this.#refusesFormerItem(data)) return
        this.#forward(verdict.event, data, isBinary)
    }
  }

  #forward(event: ClientEvent, data: Buffer, isBinary: boolean): void {
    const forward = () => this.#listener.forward(data, isBinary)
    if (event.type === 'response.create') return this.#backend.requestForClient(data, event.isPlain, forward)
    forward()
    switch (event.type) {
      case 'tool-output':
        return this.#backend.noteClientOutput(event.callId, data)
      case 'response.cancel':
        return this.#backend.dropHeldRequest()
      case 'user-message':
        return this.#unanswered?.noteTyped(data, event.itemId)
      case 'input_audio_buffer.commit':
        return this.#unanswered?.commit()
      case 'input_audio_buffer.clear':
        return this.#unanswered?.clear()
    }
  }

  /** The current provider knows the item at most as a part of the history, under another id. */
  #refusesFormerItem(data: Buffer): boolean {
    const fields = parseJson(data.toString('utf8'))
    if (!isObject(fields)) return false
    const named = [idField(fields, 'item_id'), idField(fields, 'previous_item_id')]
    const former = named.find((itemId) => itemId !== null && this.#backend.isFormerItem(itemId))
    if (former === undefined) return false
    const message = `The item ${former} belongs to a model that no longer answers in this session.`
    this.#refuse('item_of_former_provider', message, textField(fields, 'event_id'))
    return true
  }

  async #decide(verdict: Extract<ClientFrameVerdict, { kind: 'decide' }>): Promise<void> {
    const { callId, decision, reason, eventId } = verdict
    const decided = await this.#decisions.decide({ callId, decision, reason })
    if (!decided.ok) this.#refuse(decided.code, decided.message, eventId)
  }

  #refuse(code: RejectionCode, message: string, eventId: string | null): void {
    this.#listener.refuse(errorEvent(code, message, eventId))
  }
}

type Choice = Omit<ApprovalChoice, 'conversationId'>

/**
 * The client's decisions on calls. Each decision is a transaction on the shared database, so their number is
 * limited: one at a time for each call that its session waits for, and one more for calls of the conversation
 * that wait elsewhere. All other decisions are refused without a database access.
 */
export class ClientDecisions {
  readonly #session: RealtimeSessionRecord
  readonly #waitingApprovals: WaitingApprovals
  readonly #waitingCalls = new Set<string>()
  readonly #decidedNow = new Set<string>()
  #isLookingElsewhere = false

  constructor(session: RealtimeSessionRecord, waitingApprovals: WaitingApprovals) {
    this.#session = session
    this.#waitingApprovals = waitingApprovals
  }

  /** Tracks the waiting calls by the session's events. */
  observe(event: CustomEvent): void {
    if (event.type === 'approval.waiting') this.#waitingCalls.add(event.data.callId)
    if (event.type === 'approval.approved' || event.type === 'response.function_invocation.done')
      this.#waitingCalls.delete(event.data.callId)
  }

  decide(choice: Choice): Promise<ClientDecision> {
    // This client may not decide on calls.
    if (this.#session.setup.approvedBy === 'staff') return Promise.resolve(notAllowed)
    return this.#waitingCalls.has(choice.callId) ? this.#decideHere(choice) : this.#decideElsewhere(choice)
  }

  async #decideHere(choice: Choice): Promise<ClientDecision> {
    const { callId } = choice
    if (this.#decidedNow.has(callId)) return notPending(`Another decision on call ${callId} is being saved.`)
    this.#decidedNow.add(callId)
    try {
      return await this.#waitingApprovals.decideAsClient(this.#session, choice)
    } finally {
      this.#decidedNow.delete(callId)
    }
  }

  async #decideElsewhere(choice: Choice): Promise<ClientDecision> {
    if (this.#isLookingElsewhere) return notPending(`No call ${choice.callId} waits for approval.`)
    this.#isLookingElsewhere = true
    try {
      return await this.#waitingApprovals.decideAsClient(this.#session, choice)
    } finally {
      this.#isLookingElsewhere = false
    }
  }
}

const notAllowed = { ok: false, code: 'approval_not_allowed', message: refusalOf('staff') } as const

function notPending(message: string): ClientDecision {
  return { ok: false, code: 'approval_not_pending', message }
}
