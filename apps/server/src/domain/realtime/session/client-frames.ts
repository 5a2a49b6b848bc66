import type { RefusalCode, CustomEvent } from '@parley/contract'
import type { CallRegistry } from '../calls/call-reader.js'
import { type ClientEvent, type ClientFrameVerdict, judgeClientFrame } from '../protocol/judge-client-frame.js'
import { errorEvent } from '../protocol/service-event.js'
import type { RealtimeSessionRecord } from '../../../ports/realtime-session-store.js'
import { type ApprovalChoice, refusalOf } from '../../tools/approvals/approvals.js'
import type { ClientDecision, WaitingApprovals } from '../../tools/approvals/waiting-approvals.js'

interface ClientFramesOptions {
  readonly registry: CallRegistry
  readonly decisions: ClientDecisions
  readonly toProvider: (data: Buffer, isBinary: boolean) => void
  /** Sends a refusal to the client; does nothing once the session is over. */
  readonly toClient: (event: string) => void
  readonly onResponseRequest: () => void
  /** The client has answered a call. */
  readonly onToolOutput: (callId: string) => void
}

/** What becomes of a client's frame that is not plain audio: it is forwarded, refused, or a decision on a call. */
export class ClientFrames {
  readonly #options: ClientFramesOptions

  constructor(options: ClientFramesOptions) {
    this.#options = options
  }

  handle(data: Buffer, isBinary: boolean): void {
    const { registry, toProvider } = this.#options
    const verdict = judgeClientFrame(data, isBinary, (callId) => registry.isClientCall(callId))
    switch (verdict.kind) {
      case 'refuse':
        this.#refuse(verdict.code, verdict.message, verdict.eventId)
        break
      case 'decide':
        void this.#decide(verdict)
        break
      case 'forward':
        toProvider(data, isBinary)
        this.#noteForwarded(verdict.event)
    }
  }

  #noteForwarded(event: ClientEvent): void {
    const { registry, onResponseRequest, onToolOutput } = this.#options
    if (event.type === 'tool-output') {
      registry.close(event.callId)
      onToolOutput(event.callId)
    }
    if (event.type === 'response.create') onResponseRequest()
  }

  async #decide(verdict: Extract<ClientFrameVerdict, { kind: 'decide' }>): Promise<void> {
    const { callId, decision, reason, eventId } = verdict
    const decided = await this.#options.decisions.decide({ callId, decision, reason })
    if (!decided.ok) this.#refuse(decided.code, decided.message, eventId)
  }

  #refuse(code: RefusalCode, message: string, eventId: string | null): void {
    this.#options.toClient(errorEvent(code, message, eventId))
  }
}

type Choice = Omit<ApprovalChoice, 'conversationId'>

/**
 * What a client decides about calls. Each decision is a transaction, so a client gets one at a time for each call that
 * its session waits for, and one more for a call of the conversation that waits elsewhere; whatever else it sends is
 * refused without the database, which everybody shares.
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

  /** An event of this session: it may say that a call waits, or that it does not any more. */
  observe(event: CustomEvent): void {
    if (event.type === 'approval.waiting') this.#waitingCalls.add(event.data.callId)
    if (event.type === 'approval.approved' || event.type === 'response.function_invocation.done')
      this.#waitingCalls.delete(event.data.callId)
  }

  decide(choice: Choice): Promise<ClientDecision> {
    // Whichever call it is: the session was opened for a client who decides on none.
    if (this.#session.setup.approvedBy === 'staff') return Promise.resolve(notAllowed)
    return this.#waitingCalls.has(choice.callId) ? this.#decideHere(choice) : this.#decideElsewhere(choice)
  }

  async #decideHere(choice: Choice): Promise<ClientDecision> {
    const { callId } = choice
    if (this.#decidedNow.has(callId))
      return notPending(`Another decision on call ${callId} is being written down.`)
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
