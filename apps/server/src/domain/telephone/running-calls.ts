import type { PhoneCallEndReason } from '@parley/contract'
import type {
  CallStatus,
  Carrier,
  CarrierRequest,
  Codec,
  Leg,
  LegListener,
  WebhookAnswer,
} from '@parley/telephone'
import type { Carriers, StreamLeg } from '../../ports/carriers.js'
import type { Log } from '../../ports/log.js'
import type { PhoneCallRecord, PhoneConnectionRecord } from '../../ports/phone-stores.js'
import { hashToken } from '../new-id.js'
import { admitCall } from './admit-call.js'
import { CallRecords } from './call-records.js'
import { dialCall } from './dial-call.js'
import { LineCalls } from './line-calls.js'
import { type OpenSessionDependencies, openSession } from './open-session.js'
import { allowsNumber } from './phone-calls.js'
import { RunningCall } from './running-call.js'
import type { SipLines } from './sip-lines.js'

export interface RunningCallsDependencies extends OpenSessionDependencies {
  readonly log: Log
  readonly carriers: Carriers
  readonly lines: Pick<SipLines, 'lineOf' | 'dialable'>
  readonly publicUrl: () => string
  readonly leaseSeconds: number
  readonly isDraining: () => boolean
}

/** The codec of Media Streams. SIP calls have the one that both sides agreed on. */
const streamCodec = 'g711_ulaw'
/** How many requests to dial may be in progress on an instance. */
const maxDialing = 100
/** A ringing call without a report of the provider for this long has failed. */
const maxRingingMilliseconds = 5 * 60 * 1000
/** How long a queued SIP call waits for an instance whose line is registered. */
const maxQueuedMilliseconds = 2 * 60 * 1000

const notRegistered =
  'No instance could dial within two minutes, because the SIP account is not registered. See failure of the phone connection.'

const sorry = {
  text: 'We are sorry. This number cannot take calls at the moment. Please try again later.',
  language: 'en-US',
}

/**
 * The calls of this instance, and the requests of telephone providers about them. Every call is a row before anything
 * happens, and the rows of a dead instance end as failed.
 */
export class RunningCalls {
  readonly #dependencies: RunningCallsDependencies
  readonly #records: CallRecords
  readonly #running = new Map<string, RunningCall>()
  readonly #lineCalls: LineCalls
  readonly #dialing = new Set<Promise<void>>()

  constructor(dependencies: RunningCallsDependencies) {
    this.#dependencies = dependencies
    this.#records = new CallRecords(dependencies)
    this.#lineCalls = new LineCalls({
      ...{ ...dependencies, records: this.#records },
      start: (call, codec) => this.#start(call, codec),
    })
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
    request: CarrierRequest,
  ): Promise<WebhookAnswer | null> {
    const incoming = carrier.readIncomingCall(request)
    if (incoming === null) return null
    if (this.#dependencies.isDraining()) return carrier.say(incoming, sorry)
    const { clock, instanceId } = this.#dependencies
    const dependencies = { clock, instanceId, records: this.#records }
    const admission = await this.#records.transaction(connection, (stores) =>
      admitCall(dependencies, stores, connection, incoming),
    )
    if (admission.kind !== 'admitted') return carrier.reject(incoming, admission.kind)
    const { call, token } = admission
    if (!(await this.#start(call).prepare())) return carrier.say(incoming, sorry)
    return carrier.answer(incoming, { url: this.#mediaUrl(connection), token })
  }

  /** Ends the call that the provider reports as ended. Its own instance may have ended it already. */
  async noteStatus(
    connection: PhoneConnectionRecord,
    status: CallStatus,
    callId: string | null,
  ): Promise<void> {
    if (status.state !== 'ended') return
    const stores = this.#records.storesOf(connection)
    const call =
      callId === null
        ? await stores.phoneCalls.findByProviderId(connection.id, status.callId)
        : await stores.phoneCalls.find(connection.organizationId, callId)
    if (call === null || call.phoneConnectionId !== connection.id) return
    const reason = reasons[status.outcome ?? 'failed']
    const running = this.#running.get(call.id)
    if (running) running.end({ reason, detail: null })
    else await this.#records.end(call, { reason, detail: null })
  }

  /** Connects a media socket with its call. Closes the socket of a stranger. */
  async attach(connection: PhoneConnectionRecord, leg: StreamLeg): Promise<void> {
    const start = await leg.started.catch(() => null)
    if (start === null) return
    const { clock, instanceId } = this.#dependencies
    const { phoneCalls } = this.#records.storesOf(connection)
    const tokenHash = hashToken(start.token ?? '')
    const call = await phoneCalls
      .claimAudio(tokenHash, instanceId, clock.now().toISOString())
      .catch(() => null)
    const isOwn =
      call !== null &&
      call.phoneConnectionId === connection.id &&
      (call.providerCallId === null || call.providerCallId === start.callId)
    if (!isOwn) return leg.refuse()
    const prepared = this.#running.get(call.id)
    if (prepared) return prepared.attach(leg)
    const running = this.#start(call)
    running.attach(leg)
    await running.prepare()
  }

  /** Dials queued calls, and ends those of this instance whose end was requested. */
  async poll(): Promise<void> {
    const { clock, instanceId, database, isDraining, log, carriers, lines } = this.#dependencies
    const { phoneCalls } = database.stores
    for (const call of await phoneCalls.endRequested(instanceId)) {
      const running = this.#running.get(call.id)
      if (running) running.end({ reason: 'stopped', detail: null })
      else await this.#stopRinging(call)
    }
    if (isDraining()) return
    const dialDependencies = {
      ...{ carriers, log, records: this.#records },
      dialLine: (call: PhoneCallRecord, connection: PhoneConnectionRecord) =>
        this.#lineCalls.dial(call, connection),
      urlsOf: (connection: PhoneConnectionRecord) => ({
        webhooks: this.#urlOf(connection),
        media: this.#mediaUrl(connection),
      }),
    }
    const free = maxDialing - this.#dialing.size
    if (free <= 0) return
    // A slow provider must not delay the next poll, which ends calls.
    const at = clock.now().toISOString()
    const claim = { instanceId, at, limit: free, lines: lines.dialable }
    for (const call of await phoneCalls.claimQueued(claim)) {
      const dialing = dialCall(dialDependencies, call)
        .catch((error) => log.error({ err: error, callId: call.id }, 'a call could not be dialed'))
        .finally(() => this.#dialing.delete(dialing))
      this.#dialing.add(dialing)
    }
  }

  /** Ends the calls of dead instances, those that the provider has forgotten, and those that no instance can dial. */
  async closeLost(): Promise<void> {
    const { clock, database, leaseSeconds, log } = this.#dependencies
    const now = clock.now()
    const end = {
      reason: 'failed',
      detail: 'The instance that ran the call has stopped.',
      at: now.toISOString(),
    } as const
    const ringingBefore = new Date(now.getTime() - maxRingingMilliseconds).toISOString()
    const queuedBefore = new Date(now.getTime() - maxQueuedMilliseconds).toISOString()
    const lost = await database.transaction(async (stores) => {
      const calls = await stores.phoneCalls.closeLost({ leaseSeconds, ringingBefore, end })
      const undialed = await stores.phoneCalls.closeUndialed({
        queuedBefore,
        end: { ...end, detail: notRegistered },
      })
      for (const call of [...calls, ...undialed]) await this.#records.record(stores, call, 'phone_call.end')
      return calls
    })
    if (lost.length > 0) log.warn({ calls: lost.length }, 'calls of a stopped instance were ended')
  }

  /** Ends all calls of this instance, and waits until that is stored. */
  async stop(): Promise<void> {
    const stopped = this.#lineCalls.stop()
    const calls = [...this.#running.values()]
    for (const call of calls) call.end({ reason: 'failed', detail: 'The service is shutting down.' })
    await Promise.allSettled([...calls.map(({ done }) => done), ...this.#dialing, stopped])
  }

  #start(call: PhoneCallRecord, codec: Codec = streamCodec): RunningCall {
    const { timers, log, isDraining } = this.#dependencies
    const running = new RunningCall(
      {
        ...{ timers, log, isDraining },
        open: async (current, client) => {
          const opened = await openSession(this.#dependencies, current, { client, codec })
          const { conversationId, realtimeSessionId, endUserId } = opened
          await this.#records.change(call, { conversationId, realtimeSessionId, endUserId })
          return opened
        },
        answered: async () => {
          await this.#records.change(call, { state: 'active', answeredAt: this.#records.now() })
        },
        permitTransfer: (to) => this.#permitTransfer(call, to),
        // Another instance may have received the audio of a prepared call.
        ended: (current, end) => this.#records.end(current, end, this.#dependencies.instanceId),
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
    const { carriers } = this.#dependencies
    await this.#records.end(call, { reason: 'stopped', detail: null })
    // It may have been answered in the meantime.
    this.#running.get(call.id)?.end({ reason: 'stopped', detail: null })
    if (this.#lineCalls.cancel(call.id)) return
    const connection = await this.#records
      .storesOf(call)
      .phoneConnections.find(call.organizationId, call.phoneConnectionId)
    const carrier = connection && carriers.of(connection)
    if (carrier && call.providerCallId !== null)
      await carrier.hangUp(call.providerCallId).catch(() => undefined)
  }

  #urlOf({ id }: PhoneConnectionRecord): string {
    return `${this.#dependencies.publicUrl()}/phone/${id}`
  }

  #mediaUrl(connection: PhoneConnectionRecord): string {
    return `${this.#urlOf(connection).replace(/^http/, 'ws')}/media`
  }
}

const reasons: Readonly<Record<NonNullable<CallStatus['outcome']>, PhoneCallEndReason>> = {
  answered: 'hung_up',
  voicemail: 'hung_up',
  busy: 'busy',
  no_answer: 'no_answer',
  rejected: 'rejected',
  failed: 'failed',
}
