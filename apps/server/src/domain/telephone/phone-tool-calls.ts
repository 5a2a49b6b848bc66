import type { Log } from '../../ports/log.js'
import type { PhoneCallSetup } from '../../ports/phone-stores.js'
import { RecentIds } from '../recent-ids.js'
import type { LastWords } from './last-words.js'
import type { CalledTool, SessionClient } from './session-client.js'

/** What the tools of the telephone act on. */
export interface PhoneToolCallsListener {
  /** Ends the call. */
  hangUp(): void
  sendDigits(digits: string): void
  /** Makes a key of the other party lead to a target, by name. */
  offerKey(key: string, target: string): void
  /** Transfers the call to a number. Returns why this failed, or null. */
  transfer(to: string): Promise<string | null>
}

interface PhoneToolCallsOptions {
  readonly log: Log
  readonly lastWords: LastWords
  readonly targets: PhoneCallSetup['transferTargets']
}

const validDigits = /^[0-9*#]{1,32}$/
const validKey = /^[0-9*#]$/

/** Runs the tools of the telephone that the model calls. */
export class PhoneToolCalls {
  readonly #listener: PhoneToolCallsListener
  readonly #log: Log
  readonly #lastWords: LastWords
  readonly #targets: PhoneCallSetup['transferTargets']
  #names: readonly string[] = []
  /** Providers may report a call twice, and several calls at once. */
  readonly #callIds = new RecentIds()

  constructor(listener: PhoneToolCallsListener, { log, lastWords, targets }: PhoneToolCallsOptions) {
    this.#listener = listener
    this.#log = log
    this.#lastWords = lastWords
    this.#targets = targets
  }

  /** The tools that the model of the current session has. */
  offer(names: readonly string[]): void {
    this.#names = names
  }

  run(client: SessionClient, { callId, name, arguments: text }: CalledTool): void {
    if (this.#callIds.has(callId) || !this.#names.includes(name)) return
    this.#callIds.add(callId)
    const wanted = argumentsOf(text)
    const answer = (output: object) => client.answerToolCall(callId, output)
    if (name === 'hang_up') {
      answer({ ok: true })
      return this.#lastWords.after(() => this.#listener.hangUp())
    }
    if (name === 'send_dtmf') {
      const digits = String(wanted.digits ?? '')
      const isValid = validDigits.test(digits)
      if (isValid) this.#listener.sendDigits(digits)
      answer(isValid ? { ok: true } : { error: 'Send 1 to 32 of the keys 0 to 9, * and #.' })
      return client.respond()
    }
    const target = this.#targets.find((each) => each.name === wanted.target)
    if (target === undefined) {
      answer({ error: 'Unknown target.' })
      return client.respond()
    }
    if (name === 'press_for_person') {
      const key = String(wanted.key ?? '')
      const isValid = validKey.test(key)
      if (isValid) this.#listener.offerKey(key, target.name)
      answer(isValid ? { ok: true } : { error: 'The key must be one of 0 to 9, * and #.' })
      return client.respond()
    }
    this.#lastWords.after(async () => {
      const failure = await this.#transfer(target.number)
      if (failure === null) return
      answer({ error: failure })
      client.respond()
    })
  }

  /** Transfers the call because the other party pressed the offered key. */
  async transferTo(client: SessionClient, name: string): Promise<void> {
    const target = this.#targets.find((each) => each.name === name)
    const failure = target === undefined ? 'Unknown target.' : await this.#transfer(target.number)
    if (failure !== null) client.tell(`[The user pressed the key for ${name}. ${failure}]`)
  }

  #transfer(to: string): Promise<string | null> {
    return this.#listener.transfer(to).catch((error) => {
      this.#log.error({ err: error }, 'a transfer failed')
      return 'The transfer failed.'
    })
  }
}

function argumentsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
