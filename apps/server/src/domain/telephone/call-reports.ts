import type { PhoneCallEndReason } from '@parley/contract'
import type { CallOutcome, CallStatus, Carrier, CarrierCall, WebhookAnswer } from '@parley/telephone'
import type { PhoneCallRecord, PhoneConnectionRecord } from '../../ports/phone-stores.js'
import { hashToken } from '../new-id.js'
import type { CallRecords } from './call-records.js'
import type { HangUps } from './hang-ups.js'
import type { RunningCall } from './running-call.js'

export interface CallReportsDependencies {
  readonly records: CallRecords
  readonly hangUps: Pick<HangUps, 'start'>
  /** Returns a call of this instance, or null. */
  readonly running: (id: string) => RunningCall | null
  readonly mediaUrl: (connection: PhoneConnectionRecord) => string
}

/** The call that the URL of a webhook names. The service put it into the URL when it dialed. */
export interface NamedCall {
  readonly id: string
  /** The one-time token of its media socket, if the URL contains it. */
  readonly token: string | null
}

interface AnsweredCall {
  readonly connection: PhoneConnectionRecord
  readonly carrier: Carrier
  readonly call: CarrierCall
  readonly named: NamedCall | null
}

/** The reports of providers about calls, which may run on any instance. */
export class CallReports {
  readonly #dependencies: CallReportsDependencies

  constructor(dependencies: CallReportsDependencies) {
    this.#dependencies = dependencies
  }

  /** Answers the webhook with which the provider asks for the media socket of an outgoing call. */
  async answerOutgoing({
    connection,
    carrier,
    call: answered,
    named,
  }: AnsweredCall): Promise<WebhookAnswer | null> {
    const call = named && (await this.#findNamed(connection, named.id))
    const { mediaUrl } = this.#dependencies
    const isExpected =
      named !== null &&
      named.token !== null &&
      call?.tokenHash === hashToken(named.token) &&
      call.direction === 'outgoing' &&
      call.endRequestedAt === null &&
      isSameCall(call, answered.callId)
    if (!isExpected) return refuseCall(carrier, answered)
    await this.noteProviderId(call, answered.callId)
    return carrier.answer(answered, { url: mediaUrl(connection), token: named.token })
  }

  /** Notes what the provider reports about a call. The instance that runs the call may have ended it already. */
  async noteStatus(
    connection: PhoneConnectionRecord,
    status: CallStatus,
    callId: string | null,
  ): Promise<void> {
    const { records, running, hangUps } = this.#dependencies
    const call =
      callId === null
        ? await records.storesOf(connection).phoneCalls.findByProviderId(connection.id, status.callId)
        : await this.#findNamed(connection, callId)
    // Another leg of the call, such as the target of a transfer, has states of its own.
    if (call === null || !isSameCall(call, status.callId)) return
    const current = running(call.id)
    if (status.state === 'ended') {
      const end = { reason: reasonOf(call, status.outcome ?? 'failed'), detail: null }
      if (current) current.end(end)
      else await records.end(call, end)
    } else if (call.endedAt !== null) {
      if (mustHangUp(call)) hangUps.start(connection, status.callId)
    } else {
      await this.noteProviderId(call, status.callId)
      if (status.outcome !== 'voicemail') return
      if (current) return current.noteVoicemail()
      if (call.setup.voicemail !== 'hang_up') return
      // The instance that runs the call notices that it has ended.
      await records.end(call, { reason: 'voicemail', detail: null })
      hangUps.start(connection, status.callId)
    }
  }

  async #findNamed(connection: PhoneConnectionRecord, callId: string): Promise<PhoneCallRecord | null> {
    const { phoneCalls } = this.#dependencies.records.storesOf(connection)
    const call = await phoneCalls.find(connection.organizationId, callId)
    return call?.phoneConnectionId === connection.id ? call : null
  }

  /** Stores the ID that the provider gives the call, if it is not known yet. */
  async noteProviderId(call: PhoneCallRecord, providerCallId: string): Promise<void> {
    if (call.providerCallId === null) await this.#dependencies.records.change(call, { providerCallId })
  }
}

/** Refuses a webhook. A command would reach the call that the webhook names, so providers with commands get none. */
export async function refuseCall(carrier: Carrier, call: CarrierCall): Promise<WebhookAnswer | null> {
  return carrier.answersByCommand ? null : carrier.reject(call, 'rejected')
}

/** Returns whether the provider's ID is that of the call, or the call has none yet. */
export function isSameCall({ providerCallId }: PhoneCallRecord, reported: string): boolean {
  return providerCallId === null || providerCallId === reported
}

const endedByService: readonly (PhoneCallEndReason | null)[] = ['stopped', 'agent_hung_up', 'voicemail']

/**
 * Returns whether an ended call that its provider reports as open must be hung up. The provider keeps calls that were
 * transferred.
 */
function mustHangUp({ providerCallId, endReason, answeredAt }: PhoneCallRecord): boolean {
  // The call ended before its ID was known, or the request to hang up has failed.
  return (
    providerCallId === null ||
    endedByService.includes(endReason) ||
    (endReason === 'failed' && answeredAt === null)
  )
}

const reasons: Readonly<Record<CallOutcome, PhoneCallEndReason>> = {
  answered: 'hung_up',
  voicemail: 'hung_up',
  busy: 'busy',
  no_answer: 'no_answer',
  rejected: 'rejected',
  failed: 'failed',
}

/** Returns the end reason. It is `voicemail` if the agent was to hang up on voicemail. */
function reasonOf({ setup }: PhoneCallRecord, outcome: CallOutcome): PhoneCallEndReason {
  return outcome === 'voicemail' && setup.voicemail === 'hang_up' ? 'voicemail' : reasons[outcome]
}
