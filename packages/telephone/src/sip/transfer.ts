import type { EndReason, TransferOutcome } from '../leg.js'
import type { CallContext } from './call-context.js'
import type { ClientListener } from './client-transaction.js'
import type { Header } from './message.js'

interface TransferredCall {
  request(method: string, headers: readonly Header[], body: string, listener: ClientListener): void
  hangUp(reason?: EndReason): void
}

/**
 * A blind transfer: RFC 3515. REFER asks the peer to call another address, and its NOTIFYs report the progress.
 *
 *     idle ──REFER──► asked ──202──► waiting ──NOTIFY of 200──► completed, and BYE
 *       ▲               └──refusal──┐     └──NOTIFY of 300 or more──┐
 *       └───────────────────────────┴───────────────────────────────┘
 */
export class Transfer {
  readonly #call: TransferredCall
  readonly #context: CallContext
  #done: ((outcome: TransferOutcome) => void) | null = null
  #isAccepted = false
  #cancelLimit = () => {}

  constructor(call: TransferredCall, context: CallContext) {
    this.#call = call
    this.#context = context
  }

  start(to: string): Promise<TransferOutcome> {
    if (this.#done !== null) return Promise.resolve({ kind: 'refused', status: 491 })
    this.#isAccepted = false
    return new Promise((resolve) => {
      this.#done = resolve
      this.#cancelLimit = this.#context.timers.after(this.#context.settings.transferSeconds * 1000, () =>
        this.#finish(this.#isAccepted ? { kind: 'accepted' } : { kind: 'refused', status: 408 }),
      )
      this.#call.request('REFER', [['refer-to', `<${to}>`]], '', {
        responded: ({ status }) => {
          if (status >= 300) this.#finish({ kind: 'refused', status })
          else if (status >= 200) this.#isAccepted = true
        },
        failed: () => this.#finish({ kind: 'refused', status: 408 }),
      })
    })
  }

  /** Reads a NOTIFY. Returns false if no transfer is on its way. */
  notified(fragment: string): boolean {
    if (this.#done === null) return false
    // A NOTIFY may overtake the 202.
    this.#isAccepted = true
    const [, digits] = /^SIP\/2\.0 (\d{3})\b/.exec(fragment.trimStart().slice(0, 100)) ?? []
    const status = Number(digits ?? 100)
    if (status >= 300) this.#finish({ kind: 'refused', status })
    else if (status >= 200) {
      this.#finish({ kind: 'completed' })
      this.#call.hangUp({ kind: 'transferred' })
    }
    return true
  }

  /** Called when the call ends. Some peers hang up at once after they have accepted. */
  callEnded(): void {
    this.#finish(this.#isAccepted ? { kind: 'accepted' } : { kind: 'refused', status: 481 })
  }

  #finish(outcome: TransferOutcome): void {
    const done = this.#done
    this.#done = null
    this.#cancelLimit()
    done?.(outcome)
  }
}
