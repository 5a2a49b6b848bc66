import {
  type Line,
  type LineOptions,
  type NetworkAddress,
  type RegistrationState,
  startTelephone,
  type Telephone,
} from '@parley/telephone'
import type { LineTrial, OpenedLine, PhoneLineListener, PhoneLines } from '../../ports/phone-lines.js'
import type { PhoneConnectionRecord } from '../../ports/phone-stores.js'
import { SipHost, type SipHostDependencies } from './sip-host.js'

export interface PhoneLinesDependencies extends SipHostDependencies {
  /** The UDP ports for the audio of calls. */
  readonly audioPorts: { readonly first: number; readonly last: number }
  /** Returns the decrypted password of a phone connection, or null if it has none. */
  readonly openPassword: (connection: PhoneConnectionRecord) => string | null
}

type SipAccount = NonNullable<PhoneConnectionRecord['sip']>

const ringSeconds = 60
/** More than `maxCalls` can be: the service rejects calls beyond that, and stores them. */
const maxLineCalls = 1010
const trialMilliseconds = 10_000
const firstRestartMilliseconds = 1000
const maxRestartMilliseconds = 60_000
/** After this time, a failure of the thread is not a repetition. */
const stableMilliseconds = 60_000

const noRegistration: RegistrationState = {
  kind: 'failed',
  status: null,
  reason: 'The registrar does not answer.',
}

export function makePhoneLines(dependencies: PhoneLinesDependencies): PhoneLines {
  return new WorkerPhoneLines(dependencies)
}

/** The lines run in a worker thread, which starts with the first line, and again after a failure. */
class WorkerPhoneLines implements PhoneLines {
  readonly #dependencies: PhoneLinesDependencies
  readonly #listeners = new Set<PhoneLineListener>()
  #telephone: Telephone | null = null
  #startedAt = 0
  #failures = 0
  #notBefore = 0
  #isClosed = false

  constructor(dependencies: PhoneLinesDependencies) {
    this.#dependencies = dependencies
  }

  async open(connection: PhoneConnectionRecord, listener: PhoneLineListener): Promise<OpenedLine> {
    const { sip } = connection
    const password = this.#dependencies.openPassword(connection)
    if (sip === null || password === null) return unopened('No secret is stored for this phone connection.')
    const host = new SipHost(this.#dependencies, { id: connection.id, sip })
    const first = await host.locate()
    if (!first.ok) return unopened(first.refusal)
    let known: readonly NetworkAddress[] | null = first.addresses
    const locate = async () => {
      const addresses = known ?? (await host.locateAgain())
      known = null
      return addresses
    }
    const telephone = this.#start()
    if (telephone === null) return unopened('The telephone failed. It starts again.')
    this.#listeners.add(listener)
    try {
      const line = await telephone.openLine(
        {
          ...this.#optionsOf(connection, sip, password),
          avoidsPrivateAddresses: first.isPublic,
        },
        { registration: listener.registration, called: listener.called, locate },
      )
      return { ok: true, line: this.#forgetting(line, listener) }
    } catch (error) {
      this.#listeners.delete(listener)
      return unopened(explainOpening(error, sip.localPort))
    }
  }

  async tryOut(connection: PhoneConnectionRecord): Promise<LineTrial> {
    const { sip } = connection
    if (sip === null) return { kind: 'unopened', detail: 'The phone connection has no SIP account.' }
    let settle: (state: RegistrationState) => void = () => undefined
    const settled = new Promise<RegistrationState>((resolve) => {
      settle = resolve
    })
    const opened = await this.open(
      // The line of the account keeps its port.
      { ...connection, sip: { ...sip, localPort: null } },
      {
        registration: (state) => (state.kind === 'registered' || state.kind === 'failed') && settle(state),
        called: (leg) => {
          leg.reject(480)
          return deaf
        },
        lost: () => settle(noRegistration),
      },
    )
    if (!opened.ok) return { kind: 'unopened', detail: opened.detail }
    const inTime = sip.registers
      ? await this.#dependencies.timers.within(trialMilliseconds, settled)
      : ({ ok: true, value: null } as const)
    await opened.line.close().catch(() => undefined)
    const state = inTime.ok ? inTime.value : noRegistration
    if (state === null) return { kind: 'found' }
    return state.kind === 'failed' ? state : { kind: 'registered' }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#telephone?.close()
  }

  /** Returns the running thread, or null if it failed a moment ago. */
  #start(): Telephone | null {
    const now = this.#dependencies.timers.monotonic()
    if (this.#telephone !== null || this.#isClosed || now < this.#notBefore) return this.#telephone
    this.#startedAt = now
    const telephone = startTelephone((error) => this.#failed(telephone, error))
    this.#telephone = telephone
    return telephone
  }

  #failed(telephone: Telephone, error: Error): void {
    if (this.#telephone !== telephone) return
    const { log, timers } = this.#dependencies
    log.error({ err: error }, 'the telephone thread failed, and its calls have ended')
    const now = timers.monotonic()
    this.#failures = now - this.#startedAt > stableMilliseconds ? 1 : this.#failures + 1
    const wait = Math.min(maxRestartMilliseconds, firstRestartMilliseconds * 2 ** (this.#failures - 1))
    this.#notBefore = now + wait
    this.#telephone = null
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    for (const listener of listeners) listener.lost()
  }

  #forgetting(line: Line, listener: PhoneLineListener): Line {
    return {
      dial: (options, legListener) => line.dial(options, legListener),
      drain: () => line.drain(),
      close: async () => {
        this.#listeners.delete(listener)
        await line.close()
      },
    }
  }

  #optionsOf({ accountId }: PhoneConnectionRecord, sip: SipAccount, password: string): LineOptions {
    const { host, transport, domain, loginName, callerId, numberFormat, localPort, publicAddress } = sip
    return {
      server: { host, transport },
      ...(domain !== null && { domain }),
      username: accountId,
      ...(loginName !== null && { loginName }),
      password,
      callerId,
      numberFormat,
      isRegistered: sip.registers,
      ...(localPort !== null && { port: localPort }),
      ...(publicAddress !== null && { publicAddress }),
      srtp: sip.encryption,
      rtpPorts: this.#dependencies.audioPorts,
      maxCalls: maxLineCalls,
      ringSeconds,
    }
  }
}

const unopened = (detail: string): OpenedLine => ({ ok: false, detail })

/** The listener of a rejected call. */
const deaf = {
  ringing: () => undefined,
  answered: () => undefined,
  audio: () => undefined,
  digit: () => undefined,
  played: () => undefined,
  held: () => undefined,
  ended: () => undefined,
}

function explainOpening(error: unknown, localPort: number | null): string {
  const text = error instanceof Error ? error.message : String(error)
  if (text.includes('EADDRINUSE') && localPort !== null)
    return `Another line or program uses the port ${localPort}. Choose another localPort.`
  return `The line could not be opened: ${text}`
}
