import { isDeepStrictEqual } from 'node:util'
import type { Leg, LegListener, Line, RegistrationState } from '@parley/telephone'
import type { Log } from '../../ports/log.js'
import type { PhoneLineListener, PhoneLines } from '../../ports/phone-lines.js'
import type { PhoneConnectionRecord } from '../../ports/phone-stores.js'
import type { Timers } from '../../ports/time.js'
import { explainRegistration } from './registration-failure.js'

export interface ClaimedLineDependencies {
  readonly timers: Timers
  readonly log: Log
  readonly lines: PhoneLines
  /** Called for a call from outside. */
  readonly called: (connection: PhoneConnectionRecord, leg: Leg) => LegListener
  /** Called when the state of the account has changed. */
  readonly changed: (line: ClaimedLine) => void
}

/** The state of an account, as it is stored. The failure is null if the line is ready. */
export interface LineCheck {
  readonly failure: string | null
}

const firstRetryMilliseconds = 5000
const maxRetryMilliseconds = 60_000
/** The longest time that the end of a registration may take. */
const retireMilliseconds = 3000

/**
 * The line of a phone connection on this instance.
 *
 *   opening ──opened──► open ──retire──► retiring ──calls ended──► closed
 *    ▲   └──failed──► waiting ──retire────────────────────────────────▲
 *    └────────────────────┘▲
 *                          └──lost── open
 */
export class ClaimedLine {
  readonly #dependencies: ClaimedLineDependencies
  readonly #connection: PhoneConnectionRecord
  #state: 'opening' | 'waiting' | 'open' | 'retiring' | 'closed' = 'opening'
  #line: Line | null = null
  #check: LineCheck | null = null
  #failures = 0
  #calls = 0
  /** The opening in progress. A later one makes its result obsolete. */
  #opening: object | null = null
  #cancelRetry: () => void = () => undefined
  #resolveClosed: () => void = () => undefined
  readonly closed: Promise<void>
  /** When the stored state was written by this line, or null if it was not. */
  savedAt: string | null = null

  constructor(dependencies: ClaimedLineDependencies, connection: PhoneConnectionRecord) {
    this.#dependencies = dependencies
    this.#connection = connection
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve
    })
    void this.#open()
  }

  get connection(): PhoneConnectionRecord {
    return this.#connection
  }

  /** The last result of opening or registering, or null before the first one. */
  get check(): LineCheck | null {
    return this.#check
  }

  /** The line, if it can dial. */
  get dialer(): Pick<Line, 'dial'> | null {
    const line = this.#line
    if (line === null || this.#state !== 'open' || this.#check?.failure !== null) return null
    return {
      dial: (options, listener) => line.dial(options, this.#counted(listener)),
    }
  }

  /** Returns whether the line fits these settings. */
  fits(connection: PhoneConnectionRecord): boolean {
    return isDeepStrictEqual(settingsOf(connection), settingsOf(this.#connection))
  }

  /**
   * Takes no more calls. Resolves when the registration is removed, or after 3 seconds. The line closes when its last call
   * has ended.
   */
  async retire(): Promise<void> {
    if (this.#state === 'retiring' || this.#state === 'closed') return
    this.#cancelRetry()
    this.#opening = null
    this.#state = 'retiring'
    const ended = this.#calls === 0 ? this.close() : this.#line?.drain()
    await this.#dependencies.timers.within(retireMilliseconds, Promise.resolve(ended)).catch(() => undefined)
  }

  /** Ends all calls of the line. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return
    this.#cancelRetry()
    this.#opening = null
    this.#state = 'closed'
    await this.#line?.close().catch(() => undefined)
    this.#resolveClosed()
  }

  async #open(): Promise<void> {
    const opening = {}
    this.#opening = opening
    this.#state = 'opening'
    const isCurrent = () => this.#opening === opening
    const listener: PhoneLineListener = {
      registration: (state) => isCurrent() && this.#registered(state),
      called: (leg) => this.#called(leg),
      lost: () => isCurrent() && this.#failed('The telephone failed. It starts again.'),
    }
    const { lines, log } = this.#dependencies
    const opened = await lines.open(this.#connection, listener).catch((error: unknown) => {
      log.error({ err: error, phoneConnectionId: this.#connection.id }, 'a SIP line could not be opened')
      return { ok: false, detail: 'The line could not be opened.' } as const
    })
    if (!isCurrent()) return opened.ok ? opened.line.close().catch(() => undefined) : undefined
    if (!opened.ok) return this.#failed(opened.detail)
    this.#line = opened.line
    this.#state = 'open'
    this.#failures = 0
    // Without a registration, nothing else shows that the line works.
    if (!this.#connection.sip?.registers) this.#note({ failure: null })
  }

  #registered(state: RegistrationState): void {
    const { sip } = this.#connection
    if (state.kind === 'registered') this.#note({ failure: null })
    if (state.kind === 'failed' && sip !== null) this.#note({ failure: explainRegistration(state, sip) })
  }

  #failed(failure: string): void {
    this.#line = null
    this.#state = 'waiting'
    this.#opening = null
    this.#failures += 1
    const wait = Math.min(maxRetryMilliseconds, firstRetryMilliseconds * 2 ** (this.#failures - 1))
    this.#cancelRetry = this.#dependencies.timers.after(wait, () => void this.#open())
    this.#note({ failure })
  }

  #note(check: LineCheck): void {
    const isNew = this.#check?.failure !== check.failure
    this.#check = check
    if (isNew) this.#dependencies.changed(this)
  }

  #called(leg: Leg): LegListener {
    return this.#counted(this.#dependencies.called(this.#connection, leg))
  }

  /** Counts a call until it has ended. */
  #counted(listener: LegListener): LegListener {
    this.#calls += 1
    return {
      ringing: () => listener.ringing(),
      answered: () => listener.answered(),
      audio: (sound) => listener.audio(sound),
      digit: (digit) => listener.digit(digit),
      played: (passage, milliseconds) => listener.played(passage, milliseconds),
      held: (isHeld) => listener.held(isHeld),
      ended: (reason) => {
        this.#calls -= 1
        listener.ended(reason)
        if (this.#calls === 0 && this.#state === 'retiring') void this.close()
      },
    }
  }
}

/** The settings whose change needs a new line. */
function settingsOf({ accountId, sip, sealedSecret }: PhoneConnectionRecord) {
  return { accountId, sip, sealedSecret }
}
