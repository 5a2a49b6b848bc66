import type { SessionEvent } from './session-event.js'
import type { ToolCall } from './tool-calls.js'

/** A call that runs only after approval. */
export interface Approval {
  readonly callId: string
  readonly messageId: string
  /** Null if the call itself was not announced. */
  readonly call: ToolCall | null
  /** When it expires. */
  readonly deadline: Date
  /** Whether this client may decide. If not, staff do, and `approve` and `reject` have no effect. */
  readonly mayDecide: boolean
  approve(): void
  /** The model reads the reason. */
  reject(reason?: string): void
}

/** The decision that `onApproval` returns, instead of calling `approve()` or `reject()`. */
export type ApprovalAnswer = boolean | { readonly rejected: string }

type Decision =
  | { readonly type: 'approval.approve' }
  | { readonly type: 'approval.reject'; readonly reason?: string }

export interface ApprovalsOptions {
  readonly send: (message: object) => void
  readonly onChange: (approvals: readonly Approval[]) => void
  readonly onWaiting: (approval: Approval) => void
}

/** The pending approvals of a conversation. The first decision counts. They survive a reconnect. */
export class Approvals {
  readonly #options: ApprovalsOptions
  readonly #waiting = new Map<string, { readonly approval: Approval; session: number }>()
  readonly #decisions = new Map<string, Decision>()
  #session = 0

  constructor(options: ApprovalsOptions) {
    this.#options = options
  }

  /** A new session announces pending approvals before it is ready. */
  beginSession(): void {
    this.#session += 1
  }

  handle(event: SessionEvent, calls: readonly ToolCall[]): void {
    switch (event.type) {
      case 'approval.waiting':
        return this.#wait(event.data, calls)
      case 'approval.approved':
      case 'approval.expired':
      case 'response.function_invocation.done':
        return this.#remove(event.data.callId)
      case 'ready':
        for (const [callId, { session }] of this.#waiting) if (session < this.#session) this.#remove(callId)
    }
  }

  /** No further decision is possible here. */
  clear(): void {
    this.#waiting.clear()
    this.#changed()
  }

  #wait(
    {
      callId,
      messageId,
      timeoutSeconds,
      approvedBy,
    }: Extract<SessionEvent, { type: 'approval.waiting' }>['data'],
    calls: readonly ToolCall[],
  ): void {
    const decision = this.#decisions.get(callId)
    if (decision !== undefined) return this.#options.send({ ...decision, callId })
    const known = this.#waiting.get(callId)
    if (known !== undefined) {
      known.session = this.#session
      return
    }
    const approval: Approval = {
      callId,
      messageId,
      call: calls.find((call) => call.callId === callId) ?? null,
      deadline: new Date(Date.now() + timeoutSeconds * 1000),
      mayDecide: approvedBy !== 'staff',
      approve: () => this.#decide(callId, { type: 'approval.approve' }),
      reject: (reason) =>
        this.#decide(callId, { type: 'approval.reject', ...(reason !== undefined && { reason }) }),
    }
    this.#waiting.set(callId, { approval, session: this.#session })
    this.#changed()
    this.#options.onWaiting(approval)
  }

  #decide(callId: string, decision: Decision): void {
    if (this.#decisions.has(callId) || this.#waiting.get(callId)?.approval.mayDecide !== true) return
    this.#decisions.set(callId, decision)
    this.#options.send({ ...decision, callId })
  }

  #remove(callId: string): void {
    this.#decisions.delete(callId)
    if (this.#waiting.delete(callId)) this.#changed()
  }

  #changed(): void {
    this.#options.onChange([...this.#waiting.values()].map(({ approval }) => approval))
  }
}
