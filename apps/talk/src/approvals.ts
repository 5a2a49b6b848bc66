import { type Page, short } from './page.js'
import type { SessionEvent } from './session-event.js'

export type Decision = 'approve' | 'reject'

/** Asks the user. Resolves to null if the user did not decide or the question is obsolete. */
export type AskPerson = (question: string, unneeded: AbortSignal) => Promise<string | null>

export interface ApprovalsOptions {
  readonly page: Page
  readonly isApprovingAll: boolean
  /** Null without an interactive terminal. */
  readonly ask: AskPerson | null
  readonly decide: (callId: string, decision: Decision, reason: string | null) => void
  /** The user closed the input instead of deciding. */
  readonly onInputClosed: () => void
}

/** Asks the user about each pending approval, sequentially. */
export class Approvals {
  readonly #options: ApprovalsOptions
  readonly #titles = new Map<string, string>()
  readonly #open = new Map<string, AbortController>()
  #last: Promise<void> = Promise.resolve()

  constructor(options: ApprovalsOptions) {
    this.#options = options
  }

  handle(event: SessionEvent): void {
    switch (event.type) {
      case 'response.function_invocation.start':
        this.#titles.set(event.data.callId, event.data.title)
        break
      case 'approval.waiting':
        if (event.data.approvedBy === 'staff') this.#awaitStaff()
        else this.#handle(event.data.callId)
        break
      // Decided already, here or elsewhere.
      case 'approval.approved':
      case 'approval.expired':
      case 'response.function_invocation.done':
        this.#forget(event.data.callId)
    }
  }

  /** The session has ended, so no decisions are needed. */
  close(): void {
    for (const callId of [...this.#open.keys()]) this.#forget(callId)
  }

  #awaitStaff(): void {
    const { page } = this.#options
    page.line(page.paint('yellow', '  ? waiting for approval by staff, in the console or over the API'))
  }

  #handle(callId: string): void {
    const { page, isApprovingAll, ask, decide } = this.#options
    if (isApprovingAll) {
      page.line(page.paint('yellow', '  ? approved automatically, because of --yes'))
      return decide(callId, 'approve', null)
    }
    if (ask === null) {
      page.line(
        page.paint(
          'yellow',
          '  ? rejected automatically, because there is no terminal to ask for approval (use --yes to approve)',
        ),
      )
      return decide(callId, 'reject', 'No user was available to approve the call.')
    }
    const unneeded = new AbortController()
    this.#open.set(callId, unneeded)
    this.#last = this.#last.then(() => this.#askPerson(callId, ask, unneeded.signal))
  }

  async #askPerson(callId: string, ask: AskPerson, unneeded: AbortSignal): Promise<void> {
    const { page, decide, onInputClosed } = this.#options
    const title = short(this.#titles.get(callId) ?? 'this tool', 80)
    const question = page.paint('yellow', `  ? Run "${title}"? (y/n) `)
    while (!unneeded.aborted) {
      const line = await ask(question, unneeded)
      if (unneeded.aborted) return
      if (line === null) return onInputClosed()
      const decision = readDecision(line)
      if (decision !== null) return decide(callId, decision, null)
    }
  }

  #forget(callId: string): void {
    this.#open.get(callId)?.abort()
    this.#open.delete(callId)
  }
}

/** Returns null if the answer is neither yes nor no. */
export function readDecision(line: string): Decision | null {
  const word = line.trim().toLowerCase()
  if (word === 'y' || word === 'yes') return 'approve'
  return word === 'n' || word === 'no' ? 'reject' : null
}
