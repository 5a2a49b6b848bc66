import type { Codec, EndReason, Leg, LegListener } from '@parley/telephone'
import type { Stores } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { PhoneCallEnd, PhoneCallRecord, PhoneConnectionRecord } from '../../ports/phone-stores.js'
import type { Clock, Timers } from '../../ports/time.js'
import { type Admission, admitCall, type RejectionCause } from './admit-call.js'
import type { CallRecords } from './call-records.js'
import { explainLegFailure } from './leg-failure.js'
import { LineLeg } from './line-leg.js'
import { repeatWrite } from './repeat-write.js'
import type { RunningCall } from './running-call.js'
import { calledDigits, callerOf, isCalled, userOf } from './sip-addresses.js'
import type { SipLines } from './sip-lines.js'

export interface LineCallsDependencies {
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
  readonly instanceId: string
  readonly records: CallRecords
  readonly isDraining: () => boolean
  readonly lines: Pick<SipLines, 'lineOf'>
  /** Starts the call whose leg has this codec. */
  readonly start: (call: PhoneCallRecord, codec: Codec) => RunningCall
}

type End = Pick<PhoneCallEnd, 'reason' | 'detail'>

/** How long a caller waits for the database before the call is rejected. */
const admissionMilliseconds = 10_000
/** The numbers that can end with the called digits. */
const maxCandidates = 50

const statuses: Readonly<Record<RejectionCause, number>> = { unknown: 404, unwelcome: 603, unavailable: 480 }
const busyStatus = 486
const unavailableStatus = 480

const shuttingDown: End = { reason: 'failed', detail: 'The service is shutting down.' }

/** The calls of this instance's SIP lines until they are running. */
export class LineCalls {
  readonly #dependencies: LineCallsDependencies
  /** The outgoing calls that are not answered yet. */
  readonly #ringing = new Map<string, LineLeg>()
  readonly #work = new Set<Promise<void>>()
  #isStopping = false

  constructor(dependencies: LineCallsDependencies) {
    this.#dependencies = dependencies
  }

  /** Called for a call from outside. It rings until its agent can talk. */
  receive(connection: PhoneConnectionRecord, leg: Leg): LegListener {
    const lineLeg = LineLeg.of(leg)
    this.#track(connection.id, () => this.#receive(connection, lineLeg), lineLeg)
    return lineLeg
  }

  /** Dials a claimed call. Resolves when dialing has begun. */
  async dial(call: PhoneCallRecord, connection: PhoneConnectionRecord): Promise<void> {
    const { records, lines } = this.#dependencies
    const current = await records.storesOf(call).phoneCalls.find(call.organizationId, call.id)
    if (current === null || current.state === 'ended') return
    if (current.endRequestedAt !== null) return this.#end(call, { reason: 'stopped', detail: null })
    const line = lines.lineOf(connection.id)
    if (line === null)
      return this.#end(call, { reason: 'failed', detail: 'The SIP account is not registered.' })
    const leg = LineLeg.dial(line, { to: call.to ?? '', from: call.from ?? '' })
    this.#ringing.set(call.id, leg)
    this.#track(call.id, () => this.#follow(call, leg), leg)
  }

  /** Cancels a call that rings. Returns false if none does. */
  cancel(callId: string): boolean {
    const leg = this.#ringing.get(callId)
    leg?.hangUp()
    return leg !== undefined
  }

  /** Ends the calls that ring, and waits until that is stored. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const leg of this.#ringing.values()) leg.hangUp()
    await Promise.allSettled([...this.#work])
  }

  #track(id: string, work: () => Promise<void>, leg: LineLeg): void {
    const done = work()
      .catch((error) => {
        this.#dependencies.log.error({ err: error, id }, 'a call of a SIP line failed')
        leg.hangUp()
      })
      .finally(() => {
        this.#ringing.delete(id)
        this.#work.delete(done)
      })
    this.#work.add(done)
  }

  async #follow(call: PhoneCallRecord, leg: LineLeg): Promise<void> {
    const { records, start } = this.#dependencies
    const { phoneCalls } = records.storesOf(call)
    const stored = await phoneCalls.change(call.id, { providerCallId: leg.id }, records.now())
    // It was stopped while it was dialed.
    if (stored === null || stored.endRequestedAt !== null) leg.hangUp()
    const outcome = await leg.outcome
    this.#ringing.delete(call.id)
    if (outcome.kind === 'ended')
      return this.#end(call, this.#isStopping ? shuttingDown : endOf(outcome.reason))
    if (this.#isStopping) {
      await this.#end(call, shuttingDown)
      return leg.hangUp()
    }
    const running = start({ ...call, providerCallId: leg.id }, leg.codec)
    running.attach(leg)
    await running.prepare()
  }

  async #receive(connection: PhoneConnectionRecord, leg: LineLeg): Promise<void> {
    const { timers, records, isDraining, start } = this.#dependencies
    if (isDraining()) return leg.reject(unavailableStatus)
    const admitting = records.transaction(connection, (stores) => this.#admit(stores, connection, leg))
    const inTime = await timers.within(admissionMilliseconds, admitting)
    if (!inTime.ok) leg.reject(unavailableStatus)
    const admission = inTime.ok ? inTime.value : await admitting
    if (admission.kind === 'rejected') return leg.reject(statuses[admission.cause])
    if (admission.kind !== 'admitted')
      return leg.reject(admission.kind === 'busy' ? busyStatus : unavailableStatus)
    const { call } = admission
    if (!inTime.ok)
      return this.#end(call, { reason: 'failed', detail: 'The database did not respond in time.' })
    if (leg.endReason !== null) return this.#end(call, endOfUnanswered(leg.endReason))
    if (this.#isStopping) {
      await this.#end(call, shuttingDown)
      return leg.reject(unavailableStatus)
    }
    leg.ring()
    const running = start(call, leg.codec)
    running.attach(leg, { rings: true })
    await running.prepare()
  }

  async #end(call: PhoneCallRecord, given: End): Promise<void> {
    const { records } = this.#dependencies
    const end = { ...given, at: records.now() }
    await repeatWrite(this.#dependencies, call.id, () => records.end(call, end))
  }

  async #admit(stores: Stores, connection: PhoneConnectionRecord, leg: LineLeg): Promise<Admission> {
    const user = userOf(leg.to)
    const to = await findCalledNumber(stores, connection, user)
    if (to === null) return { kind: 'rejected', cause: 'unknown' }
    const from = callerOf(leg.from, { user, number: to })
    return admitCall(this.#dependencies, stores, connection, { callId: leg.id, from, to })
  }
}

/** Returns the called number of a phone connection. With a single number, every call is for it. */
async function findCalledNumber(
  stores: Stores,
  { organizationId, id: phoneConnectionId }: PhoneConnectionRecord,
  user: string,
): Promise<string | null> {
  const all = await stores.phoneNumbers.list(organizationId, { phoneConnectionId }, { offset: 0, limit: 2 })
  const [only] = all.items
  if (only !== undefined && all.totalCount === 1) return only.number
  const search = calledDigits(user)
  if (search === null) return null
  const page = { offset: 0, limit: maxCandidates }
  const { items } = await stores.phoneNumbers.list(organizationId, { phoneConnectionId, search }, page)
  const called = items.filter(({ number }) => isCalled(number, user))
  const exact = called.find(({ number }) => number === `+${search}`)
  // A national number may belong to two countries.
  return exact?.number ?? (called.length === 1 ? (called[0]?.number ?? null) : null)
}

/** Returns the end of an outgoing call that was not answered. */
function endOf(reason: EndReason): End {
  switch (reason.kind) {
    case 'busy':
      return { reason: 'busy', detail: null }
    case 'no_answer':
      return { reason: 'no_answer', detail: null }
    case 'declined':
      return { reason: 'rejected', detail: null }
    case 'hung_up':
    case 'cancelled':
    case 'transferred':
      return { reason: 'stopped', detail: null }
    case 'hung_up_by_peer':
      return { reason: 'rejected', detail: null }
    default:
      return { reason: 'failed', detail: explainLegFailure(reason) }
  }
}

/** Returns the end of an incoming call that ended before its session was opened. */
function endOfUnanswered(reason: EndReason): End {
  if (reason.kind === 'no_audio_port') return { reason: 'failed', detail: explainLegFailure(reason) }
  return { reason: 'hung_up', detail: null }
}
