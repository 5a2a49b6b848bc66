import type { PhoneCallEndReason } from '@parley/contract'
import type { CallStatus, Carrier, CarrierRequest, IncomingCall, WebhookAnswer } from '@parley/telephone'
import type { Carriers, StreamLeg } from '../../ports/carriers.js'
import type { Stores } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type {
  PhoneCallEnd,
  PhoneCallRecord,
  PhoneConnectionRecord,
  PhoneNumberRecord,
} from '../../ports/phone-stores.js'
import { recordChange } from '../audit/record-change.js'
import { systemCaller } from '../caller-scope.js'
import { hashToken } from '../new-id.js'
import { type OpenSessionDependencies, openSession } from './open-session.js'
import {
  allowsNumber,
  type ConnectedNumber,
  detailsOf,
  isConnected,
  newCall,
  setupOf,
} from './phone-calls.js'
import { RunningCall } from './running-call.js'
import { newStreamToken } from './stream-token.js'

export interface RunningCallsDependencies extends OpenSessionDependencies {
  readonly log: Log
  readonly carriers: Carriers
  readonly publicUrl: () => string
  readonly leaseSeconds: number
  readonly isDraining: () => boolean
}

/** The codec of Media Streams. */
const codec = 'g711_ulaw'
const ringSeconds = 60
const maxCallSeconds = 4 * 60 * 60
/** How many requests to dial may be in progress on an instance. */
const maxDialing = 100
/** A ringing call without a report of the provider for this long has failed. */
const maxRingingMilliseconds = 5 * 60 * 1000

const sorry = {
  text: 'We are sorry. This number cannot take calls at the moment. Please try again later.',
  language: 'en-US',
}

type Admission =
  | { readonly kind: 'rejected' | 'busy' }
  | { readonly kind: 'admitted'; readonly call: PhoneCallRecord; readonly token: string }

/**
 * The calls of this instance, and the requests of telephone providers about them. Every call is a row before anything
 * happens, and the rows of a dead instance end as failed.
 */
export class RunningCalls {
  readonly #dependencies: RunningCallsDependencies
  readonly #running = new Map<string, RunningCall>()
  readonly #dialing = new Set<Promise<void>>()

  constructor(dependencies: RunningCallsDependencies) {
    this.#dependencies = dependencies
  }

  /** Every instance can dial the calls of every organization. */
  holdsWorkOf(): boolean {
    return true
  }

  get(id: string): RunningCall | null {
    return this.#running.get(id) ?? null
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
    const admission = await this.#transaction(connection, (stores) =>
      this.#admit(stores, connection, incoming),
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
    const { stores } = this.#owned(connection)
    const call =
      callId === null
        ? await stores.phoneCalls.findByProviderId(connection.id, status.callId)
        : await stores.phoneCalls.find(connection.organizationId, callId)
    if (call === null || call.phoneConnectionId !== connection.id) return
    const reason = reasons[status.outcome ?? 'failed']
    const running = this.#running.get(call.id)
    if (running) running.end({ reason, detail: null })
    else await this.#storeEnd(call, { reason, detail: null })
  }

  /** Connects a media socket with its call. Closes the socket of a stranger. */
  async attach(connection: PhoneConnectionRecord, leg: StreamLeg): Promise<void> {
    const start = await leg.started.catch(() => null)
    if (start === null) return
    const { clock, instanceId } = this.#dependencies
    const { phoneCalls } = this.#owned(connection).stores
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
    const { clock, instanceId, database, isDraining, log } = this.#dependencies
    const { phoneCalls } = database.stores
    for (const call of await phoneCalls.endRequested(instanceId)) {
      const running = this.#running.get(call.id)
      if (running) running.end({ reason: 'stopped', detail: null })
      else await this.#stopRinging(call)
    }
    if (isDraining()) return
    const free = maxDialing - this.#dialing.size
    if (free <= 0) return
    // A slow provider must not delay the next poll, which ends calls.
    for (const call of await phoneCalls.claimQueued(instanceId, clock.now().toISOString(), free)) {
      const dialing = this.#dial(call)
        .catch((error) => log.error({ err: error, callId: call.id }, 'a call could not be dialed'))
        .finally(() => this.#dialing.delete(dialing))
      this.#dialing.add(dialing)
    }
  }

  /** Ends the calls of dead instances, and those that the provider has forgotten. They are never repeated. */
  async closeLost(): Promise<void> {
    const { clock, database, leaseSeconds, log } = this.#dependencies
    const now = clock.now()
    const end = {
      reason: 'failed',
      detail: 'The instance that ran the call has stopped.',
      at: now.toISOString(),
    } as const
    const ringingBefore = new Date(now.getTime() - maxRingingMilliseconds).toISOString()
    const lost = await database.transaction(async (stores) => {
      const calls = await stores.phoneCalls.closeLost({ leaseSeconds, ringingBefore, end })
      for (const call of calls) await this.#recordEnd(stores, call)
      return calls
    })
    if (lost.length > 0) log.warn({ calls: lost.length }, 'calls of a stopped instance were ended')
  }

  /** Ends all calls of this instance, and waits until that is stored. */
  async stop(): Promise<void> {
    const calls = [...this.#running.values()]
    for (const call of calls) call.end({ reason: 'failed', detail: 'The service is shutting down.' })
    await Promise.allSettled([...calls.map(({ done }) => done), ...this.#dialing])
  }

  /** Decides on an incoming call under the lock of its phone connection, and stores it. */
  async #admit(
    stores: Stores,
    { organizationId, id }: PhoneConnectionRecord,
    { callId, from, to }: IncomingCall,
  ): Promise<Admission> {
    const { clock, instanceId } = this.#dependencies
    const rejected = { kind: 'rejected' } as const
    const connection = await stores.phoneConnections.findLocked(organizationId, id)
    const number = await stores.phoneNumbers.findByNumber(id, to)
    if (!connection?.isEnabled || !number?.isEnabled || !isConnected(number)) return rejected
    const { agentId } = number
    if (agentId === null) return rejected
    // A repeated request gets no second call.
    if ((await stores.phoneCalls.findByProviderId(id, callId)) !== null) return rejected
    const token = newStreamToken()
    const call: PhoneCallRecord = {
      ...newCall(clock, { number, agentId }),
      ...{ direction: 'incoming', from, to, state: 'ringing', apiKeyId: null, providerCallId: callId },
      ...{ conversationId: null, endUserId: null, instanceId, tokenHash: hashToken(token) },
      setup: setupOf(number, { greeting: number.greeting, additionalInstructions: null }),
    }
    const refusal = await refusalOf(stores, { connection, number, from })
    if (refusal === null) {
      await stores.phoneCalls.insert(call)
      await this.#record(stores, call, 'phone_call.start')
      return { kind: 'admitted', call, token }
    }
    const { reason, detail } = refusal
    const ended = { state: 'ended', endReason: reason, endDetail: detail, endedAt: call.createdAt } as const
    await stores.phoneCalls.insert({ ...call, ...ended, tokenHash: null })
    await this.#record(stores, call, 'phone_call.reject')
    return { kind: reason }
  }

  #start(call: PhoneCallRecord): RunningCall {
    const { timers, log, isDraining } = this.#dependencies
    const running = new RunningCall(
      {
        ...{ timers, log, isDraining },
        open: async (current, client) => {
          const opened = await openSession(this.#dependencies, current, { client, codec })
          const { conversationId, realtimeSessionId, endUserId } = opened
          await this.#change(call, { conversationId, realtimeSessionId, endUserId })
          return opened
        },
        answered: async () => {
          await this.#change(call, { state: 'active', answeredAt: this.#now() })
        },
        permitTransfer: (to) => this.#permitTransfer(call, to),
        // Another instance may have received the audio of a prepared call.
        ended: (current, end) => this.#storeEnd(current, end, this.#dependencies.instanceId),
      },
      call,
    )
    this.#running.set(call.id, running)
    void running.done.then(() => this.#running.delete(call.id))
    return running
  }

  /** Dials a claimed call. After a crash, the row ends as failed and is not dialed again. */
  async #dial(call: PhoneCallRecord): Promise<void> {
    const { carriers, log } = this.#dependencies
    const { phoneConnections, phoneCalls } = this.#owned(call).stores
    const fail = (detail: string) => this.#storeEnd(call, { reason: 'failed', detail })
    try {
      const connection = await phoneConnections.find(call.organizationId, call.phoneConnectionId)
      const carrier = connection?.isEnabled ? carriers.of(connection) : null
      if (connection === null || carrier === null) return await fail('The phone connection is not available.')
      const token = newStreamToken()
      const changed = await phoneCalls.change(call.id, { tokenHash: hashToken(token) }, this.#now())
      if (changed === null) return
      if (changed.endRequestedAt !== null)
        return await this.#storeEnd(call, { reason: 'stopped', detail: null })
      const statusUrl = `${this.#urlOf(connection)}/status?call=${call.id}`
      const providerCallId = await carrier.dial({
        ...{ to: call.to ?? '', from: call.from ?? '', url: this.#mediaUrl(connection), token, statusUrl },
        ...{ ringSeconds, maxSeconds: maxCallSeconds, detectsVoicemail: false, idempotencyKey: call.id },
      })
      await phoneCalls.change(call.id, { providerCallId }, this.#now())
      await phoneConnections.saveCheck(connection.id, null, this.#now())
    } catch (error) {
      const failure = carriers.failureOf(error)
      if (failure === null) log.error({ err: error, callId: call.id }, 'a call could not be dialed')
      if (failure?.isOfAccount)
        await phoneConnections.saveCheck(call.phoneConnectionId, failure.detail, this.#now())
      // The status webhook ends a call that was dialed anyway. Without one, it ends after a while.
      if (!failure?.isOutcomeUnknown) await fail(failure?.detail ?? 'The call could not be dialed.')
    }
  }

  /** Records a transfer by the agent. Returns why it is not allowed, or null. */
  async #permitTransfer(call: PhoneCallRecord, to: string): Promise<string | null> {
    return this.#transaction(call, async (stores) => {
      const { organizationId, phoneConnectionId } = call
      const connection = await stores.phoneConnections.find(organizationId, phoneConnectionId)
      if (connection === null || !allowsNumber(connection, to))
        return 'The phone connection does not allow this number.'
      await this.#record(stores, call, 'phone_call.transfer')
      return null
    })
  }

  /** Ends a call whose audio does not run here: it rings, or its audio ran on an instance that is gone. */
  async #stopRinging(call: PhoneCallRecord): Promise<void> {
    const { carriers } = this.#dependencies
    await this.#storeEnd(call, { reason: 'stopped', detail: null })
    const connection = await this.#owned(call).stores.phoneConnections.find(
      call.organizationId,
      call.phoneConnectionId,
    )
    const carrier = connection && carriers.of(connection)
    if (carrier && call.providerCallId !== null)
      await carrier.hangUp(call.providerCallId).catch(() => undefined)
  }

  async #storeEnd(
    call: PhoneCallRecord,
    end: Omit<PhoneCallEnd, 'at'>,
    onlyOf: string | null = null,
  ): Promise<void> {
    await this.#transaction(call, async (stores) => {
      const ended = await stores.phoneCalls.end(call.id, { ...end, at: this.#now() }, onlyOf)
      if (ended !== null) await this.#recordEnd(stores, ended)
    })
  }

  #recordEnd(stores: Stores, call: PhoneCallRecord): Promise<void> {
    return this.#record(stores, call, 'phone_call.end')
  }

  #record(stores: Stores, call: PhoneCallRecord, action: string): Promise<void> {
    const caller = systemCaller(call.organizationId)
    const details = { ...detailsOf(call), ...(call.endReason && { endReason: call.endReason }) }
    return recordChange(
      this.#dependencies.clock,
      { stores, caller },
      { action, type: 'PhoneCall', id: call.id, details },
    )
  }

  async #change(
    call: PhoneCallRecord,
    changes: Parameters<Stores['phoneCalls']['change']>[1],
  ): Promise<void> {
    await this.#owned(call).stores.phoneCalls.change(call.id, changes, this.#now())
  }

  #transaction<Result>(
    owner: { readonly organizationId: string },
    work: (stores: Stores) => Promise<Result>,
  ): Promise<Result> {
    return this.#owned(owner).transaction(work)
  }

  #owned({ organizationId }: { readonly organizationId: string }) {
    return this.#dependencies.database.ownedBy({ organizationId, kind: 'call' })
  }

  #now(): string {
    return this.#dependencies.clock.now().toISOString()
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

interface IncomingCase {
  readonly connection: PhoneConnectionRecord
  readonly number: ConnectedNumber
  readonly from: string | null
}

interface Refusal {
  readonly reason: 'rejected' | 'busy'
  readonly detail: string
}

/** Returns why the number does not take the call, or null. */
async function refusalOf(
  stores: Stores,
  { connection, number, from }: IncomingCase,
): Promise<Refusal | null> {
  if (!isWelcome(number, from))
    return { reason: 'rejected', detail: 'The phone number does not accept this caller.' }
  const { agentId, organizationId } = number
  if (agentId === null || (await stores.agents.find(organizationId, agentId)) === null)
    return { reason: 'rejected', detail: 'The agent of the phone number was deleted.' }
  if ((await stores.phoneCalls.countOpen(connection.id)) >= connection.maxCalls)
    return { reason: 'busy', detail: `The phone connection has ${connection.maxCalls} concurrent calls.` }
  return null
}

function isWelcome(
  { allowedCallers, blockedCallers }: Pick<PhoneNumberRecord, 'allowedCallers' | 'blockedCallers'>,
  from: string | null,
): boolean {
  const beginsIn = (prefixes: readonly string[]) =>
    from !== null && prefixes.some((prefix) => from.startsWith(prefix))
  return !beginsIn(blockedCallers) && (allowedCallers.length === 0 || beginsIn(allowedCallers))
}
