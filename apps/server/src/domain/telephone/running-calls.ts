import type { Carrier, CarrierCall, Codec, Leg, LegListener, WebhookAnswer } from '@parley/telephone'
import type { Announcements } from '../../ports/announcements.js'
import type { Carriers, StreamLeg } from '../../ports/carriers.js'
import type { Log } from '../../ports/log.js'
import type { LostCalls, PhoneCallRecord, PhoneConnectionRecord } from '../../ports/phone-stores.js'
import { DomainError } from '../domain-error.js'
import { hashToken, newId } from '../new-id.js'
import { type Admission, admitCall } from './admit-call.js'
import { announcementFor } from './announcement-for.js'
import { CallRecords } from './call-records.js'
import { CallReports, isSameCall, refuseCall } from './call-reports.js'
import { type DialDependencies, dialCall, maxQueuedMilliseconds } from './dial-call.js'
import { DialSlots } from './dial-slots.js'
import { HangUps } from './hang-ups.js'
import { LineCalls } from './line-calls.js'
import { type OpenSessionDependencies, openSession } from './open-session.js'
import { allowsNumber } from './phone-calls.js'
import { repeatWrite } from './repeat-write.js'
import { RunningCall } from './running-call.js'
import type { SipLines } from './sip-lines.js'

export interface RunningCallsDependencies extends OpenSessionDependencies {
  readonly log: Log
  readonly carriers: Carriers
  readonly announcements: Announcements
  readonly lines: Pick<SipLines, 'lineOf' | 'dialable'>
  readonly publicUrl: () => string
  readonly leaseSeconds: number
  readonly isDraining: () => boolean
}

/** The codec of Media Streams. SIP calls have the one that both sides agreed on. */
const streamCodec = 'g711_ulaw'
/** How long a shutdown waits for the last words of calls. */
const leaveMilliseconds = 3000
/** A ringing call without a report of the provider for this long has failed. */
const maxRingingMilliseconds = 5 * 60 * 1000
/** An active call of this instance that it has not run for this long has been forgotten, because its end was not stored. */
const maxForgottenMilliseconds = 60 * 1000
/** How long a shutdown waits until the ends of calls are stored. */
const stopMilliseconds = 15_000

const queuedTooLong = 'No instance could dial within two minutes.'
const notRegistered =
  'No instance could dial within two minutes, because the SIP account is not registered. See failure of the phone connection.'

/**
 * The calls of this instance, and the requests of telephone providers about them. Every call is a row before anything
 * happens, and the rows of a dead instance end as failed.
 */
export class RunningCalls {
  /** The reports of providers about the calls of all instances. */
  readonly reports: CallReports
  readonly #dependencies: RunningCallsDependencies
  readonly #records: CallRecords
  readonly #running = new Map<string, RunningCall>()
  readonly #lineCalls: LineCalls
  /** Calls that were answered by a command and wait for their audio, which another instance may receive. */
  readonly #awaitingAudio = new Set<string>()
  readonly #dialing = new DialSlots()
  readonly #hangUps: HangUps
  readonly #dialDependencies: DialDependencies

  constructor(dependencies: RunningCallsDependencies) {
    this.#dependencies = dependencies
    this.#records = new CallRecords(dependencies)
    this.#hangUps = new HangUps(dependencies)
    this.#lineCalls = new LineCalls({
      ...dependencies,
      records: this.#records,
      start: (call, codec) => this.#start(call, codec),
    })
    this.reports = new CallReports({
      records: this.#records,
      hangUps: this.#hangUps,
      running: (id) => this.get(id),
      mediaUrl: (connection) => this.#mediaUrl(connection),
    })
    const { carriers, log } = dependencies
    this.#dialDependencies = {
      carriers,
      log,
      records: this.#records,
      dialLine: (call, connection) => this.#lineCalls.dial(call, connection),
      urlsOf: (connection) => ({ webhooks: this.#urlOf(connection), media: this.#mediaUrl(connection) }),
    }
  }

  /** Every instance can dial the calls of every organization. */
  holdsWorkOf(): boolean {
    return true
  }

  get(id: string): RunningCall | null {
    return this.#running.get(id) ?? null
  }

  /** Called for a call of a SIP line. */
  receive(connection: PhoneConnectionRecord, leg: Leg): LegListener {
    return this.#lineCalls.receive(connection, leg)
  }

  /** Answers the webhook about an incoming call. The session is ready before the call is answered. */
  async answer(
    connection: PhoneConnectionRecord,
    carrier: Carrier,
    incoming: CarrierCall,
  ): Promise<WebhookAnswer | null> {
    if (this.#dependencies.isDraining()) {
      const { phoneCalls } = this.#records.storesOf(connection)
      const known = await phoneCalls.findByProviderId(connection.id, incoming.callId)
      const sorry = announcementFor('unavailable', null)
      return known === null ? carrier.say(incoming, sorry) : refuseCall(carrier, incoming)
    }
    const admission = await this.#admit(connection, incoming)
    if (admission.kind === 'repeated') return refuseCall(carrier, incoming)
    if (admission.kind !== 'admitted') return carrier.reject(incoming, admission.kind)
    const { call, token } = admission
    const running = this.#start(call)
    if (!(await running.prepare()))
      return carrier.say(incoming, announcementFor('unavailable', call.setup.language))
    if (carrier.answersByCommand) void this.#hangUpWithoutAudio(running, connection, incoming.callId)
    try {
      return await carrier.answer(incoming, { url: this.#mediaUrl(connection), token })
    } catch (error) {
      running.end({ reason: 'failed', detail: this.#dependencies.carriers.failureOf(error)?.detail ?? null })
      throw error
    }
  }

  /**
   * Starts a call that begins with its media socket, and rings there until `connect`. Throws a DomainError if the call is
   * not accepted.
   */
  async ring(connection: PhoneConnectionRecord, incoming: CarrierCall): Promise<RunningCall> {
    if (this.#dependencies.isDraining())
      throw new DomainError('Unavailable', 'The service is shutting down.', { retryAfterSeconds: 5 })
    const { phoneConnections } = this.#records.storesOf(connection)
    if (connection.checkedAt === null || connection.failure !== null)
      await phoneConnections.saveCheck(connection.id, null, this.#records.now())
    // The socket is the call, so it needs no ID of the provider.
    const callId = incoming.callId || newId()
    const admission = await this.#admit(connection, { ...incoming, callId })
    if (admission.kind === 'busy')
      throw new DomainError('LimitReached', 'The phone connection has no free line.', { limit: 'maxCalls' })
    if (admission.kind !== 'admitted')
      throw new DomainError('Forbidden', 'The phone number does not accept this call.')
    const running = this.#start(admission.call)
    void running.prepare()
    return running
  }

  /** Connects a call with the media socket that it began with. */
  async connect(running: RunningCall, leg: StreamLeg): Promise<void> {
    if ((await leg.started.catch(() => null)) !== null) running.attach(leg)
    else running.end({ reason: 'hung_up', detail: null })
  }

  /** Connects a media socket with its call. Closes an unauthenticated socket, and returns false. */
  async attach(connection: PhoneConnectionRecord, leg: StreamLeg): Promise<boolean> {
    const start = await leg.started.catch(() => null)
    if (start === null) return false
    const { clock, instanceId } = this.#dependencies
    const { phoneCalls } = this.#records.storesOf(connection)
    const tokenHash = hashToken(start.token ?? '')
    const call = await phoneCalls.claimAudio(tokenHash, instanceId, clock.now().toISOString())
    const isOwn =
      call !== null &&
      call.phoneConnectionId === connection.id &&
      (start.callId === '' || isSameCall(call, start.callId))
    if (!isOwn) {
      leg.refuse()
      return false
    }
    if (start.callId !== '') await this.reports.noteProviderId(call, start.callId)
    const prepared = this.#running.get(call.id)
    this.#awaitingAudio.delete(call.id)
    if (prepared) prepared.attach(leg)
    else {
      const running = this.#start(call)
      running.attach(leg)
      await running.prepare()
    }
    return true
  }

  /** Hangs up at the provider in the background, after the media socket could not do it. */
  hangUp(connection: PhoneConnectionRecord, providerCallId: string): void {
    this.#hangUps.start(connection, providerCallId)
  }

  /** Dials queued calls, and ends calls of this instance or presses keys in them on request. */
  async poll(): Promise<void> {
    await this.#obeyRequests()
    await this.#endLost()
    if (!this.#dependencies.isDraining()) await this.#dialQueued()
  }

  async #obeyRequests(): Promise<void> {
    const { instanceId, database, log } = this.#dependencies
    const { phoneCalls } = database.stores
    for (const call of await phoneCalls.requested(instanceId)) {
      const running = this.#running.get(call.id)
      if (call.endRequestedAt === null) {
        // Taken before they are pressed, so that no key is pressed twice.
        const digits = await phoneCalls.takeDigits(call.id)
        if (digits !== null) running?.press(digits)
      } else if (running) running.end({ reason: 'stopped', detail: null })
      else
        await this.#stopRinging(call).catch((error) =>
          log.error({ err: error, callId: call.id }, 'a call could not be ended'),
        )
    }
  }

  async #dialQueued(): Promise<void> {
    const { clock, instanceId, database, log, lines } = this.#dependencies
    const room = this.#dialing.room()
    if (room === null) return
    const at = clock.now().toISOString()
    const claim = { instanceId, at, ...room, lines: lines.dialable }
    for (const call of await database.stores.phoneCalls.claimQueued(claim)) {
      // A slow provider must not delay the next poll, which ends calls.
      const dialing = dialCall(this.#dialDependencies, call).catch((error) =>
        log.error({ err: error, callId: call.id }, 'a call could not be dialed'),
      )
      this.#dialing.add(call, dialing)
    }
  }

  /** Ends the calls that this instance no longer runs: they ended elsewhere, or their audio arrived there. */
  async #endLost(): Promise<void> {
    const { database, instanceId } = this.#dependencies
    const known = [...this.#running.values()]
    if (known.length === 0) return
    const own = new Set(await database.stores.phoneCalls.runningOn(instanceId))
    for (const running of known) {
      if (own.has(running.id)) continue
      this.#awaitingAudio.delete(running.id)
      // The row is not changed, because another instance has it.
      running.end({ reason: 'failed', detail: null })
    }
  }

  /** Ends the calls of dead instances, those that the provider has forgotten, and those that no instance can dial. */
  async closeLost(): Promise<void> {
    const { leaseSeconds, instanceId } = this.#dependencies
    await this.#endAllLost(
      { kind: 'of_dead_instances', leaseSeconds },
      'The instance that ran the call has stopped.',
    )
    await this.#endAllLost(
      {
        kind: 'of_instance',
        instanceId,
        activeBefore: this.#before(maxForgottenMilliseconds),
        ringingBefore: this.#before(maxRingingMilliseconds),
      },
      'The end of the call is not known.',
      [...this.#running.keys()],
    )
    const undialed = { kind: 'undialed', queuedBefore: this.#before(maxQueuedMilliseconds) } as const
    await this.#endAllLost({ ...undialed, isSip: true }, notRegistered)
    await this.#endAllLost({ ...undialed, isSip: false }, queuedTooLong)
  }

  /** Never rejects, so that other lost calls are ended in any case. */
  async #endAllLost(lost: LostCalls, detail: string, except: readonly string[] = []): Promise<void> {
    const { log } = this.#dependencies
    const end = { reason: 'failed', detail, at: this.#records.now() } as const
    try {
      const calls = await this.#records.endLost(lost, end, except)
      if (calls > 0) log.warn({ calls, kind: lost.kind }, 'lost calls were ended')
    } catch (error) {
      log.error({ err: error, kind: lost.kind }, 'lost calls could not be ended')
    }
  }

  #before(milliseconds: number): string {
    return new Date(this.#dependencies.clock.now().getTime() - milliseconds).toISOString()
  }

  /** Ends all calls of this instance, and waits until that is stored. */
  async stop(): Promise<void> {
    const stopped = this.#lineCalls.stop()
    const calls = [...this.#running.values()]
    const leaving = calls.filter(({ isLeaving }) => isLeaving).map(({ done }) => done)
    await this.#dependencies.timers.within(leaveMilliseconds, Promise.all(leaving))
    for (const call of calls) call.end({ reason: 'failed', detail: 'The service is shutting down.' })
    const stored = Promise.allSettled([...calls.map(({ done }) => done), this.#dialing.settled(), stopped])
    await this.#dependencies.timers.within(stopMilliseconds, stored)
    await this.#hangUps.stop()
  }

  #start(call: PhoneCallRecord, codec: Codec = streamCodec): RunningCall {
    const { timers, log, isDraining, announcements } = this.#dependencies
    let answeredAt: string | null = null
    const store = (write: () => Promise<void>) => repeatWrite({ timers, log }, call.id, write)
    const running = new RunningCall(
      {
        timers,
        log,
        isDraining,
        announcements,
        open: async (current, client) => {
          const opened = await openSession(this.#dependencies, current, {
            client,
            codec,
            isFirst: answeredAt === null,
          })
          const { conversationId, realtimeSessionId, endUserId } = opened
          await this.#records.change(call, { conversationId, realtimeSessionId, endUserId })
          return opened
        },
        answered: () => {
          answeredAt = this.#records.now()
          return store(() => this.#records.change(call, { state: 'active', answeredAt }))
        },
        permitTransfer: (to) => this.#permitTransfer(call, to),
        // Another instance may have received the audio of a prepared call.
        ended: (current, end) => {
          const stored = { ...end, answeredAt, at: this.#records.now() }
          return store(() => this.#records.end(current, stored, this.#dependencies.instanceId))
        },
      },
      call,
    )
    this.#running.set(call.id, running)
    void running.done.then(() => this.#running.delete(call.id))
    return running
  }

  /** Records a transfer by the agent. Returns why it is not allowed, or null. */
  async #permitTransfer(call: PhoneCallRecord, to: string): Promise<string | null> {
    return this.#records.transaction(call, async (stores) => {
      const { organizationId, phoneConnectionId } = call
      const connection = await stores.phoneConnections.find(organizationId, phoneConnectionId)
      if (connection === null || !allowsNumber(connection, to))
        return 'The phone connection does not allow this number.'
      await this.#records.record(stores, call, 'phone_call.transfer')
      return null
    })
  }

  /** Ends a call whose audio does not run here: it rings, or its audio ran on an instance that is gone. */
  async #stopRinging(call: PhoneCallRecord): Promise<void> {
    await this.#records.end(call, { reason: 'stopped', detail: null })
    // It may have been answered in the meantime.
    this.#running.get(call.id)?.end({ reason: 'stopped', detail: null })
    if (this.#lineCalls.cancel(call.id)) return
    const connection = await this.#records
      .storesOf(call)
      .phoneConnections.find(call.organizationId, call.phoneConnectionId)
    if (connection && call.providerCallId !== null) this.#hangUps.start(connection, call.providerCallId)
  }

  #admit(connection: PhoneConnectionRecord, incoming: CarrierCall): Promise<Admission> {
    const { clock, instanceId } = this.#dependencies
    const dependencies = { clock, instanceId, records: this.#records }
    return this.#records.transaction(connection, (stores) =>
      admitCall(dependencies, stores, connection, incoming),
    )
  }

  /** Hangs up a call that was answered by a command if it ends before its audio has arrived on any instance. */
  async #hangUpWithoutAudio(
    running: RunningCall,
    connection: PhoneConnectionRecord,
    providerCallId: string,
  ): Promise<void> {
    this.#awaitingAudio.add(running.id)
    await running.done
    // `attach` and `#endLost` remove calls whose audio has arrived.
    if (this.#awaitingAudio.delete(running.id)) this.#hangUps.start(connection, providerCallId)
  }

  #urlOf({ id }: PhoneConnectionRecord): string {
    return `${this.#dependencies.publicUrl()}/phone/${id}`
  }

  #mediaUrl(connection: PhoneConnectionRecord): string {
    return `${this.#urlOf(connection).replace(/^http/, 'ws')}/media`
  }
}
