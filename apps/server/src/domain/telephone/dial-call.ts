import type { Carriers } from '../../ports/carriers.js'
import type { Log } from '../../ports/log.js'
import type { PhoneCallRecord, PhoneConnectionRecord } from '../../ports/phone-stores.js'
import { hashToken } from '../new-id.js'
import type { CallRecords } from './call-records.js'
import { newStreamToken } from './stream-token.js'

export interface DialDependencies {
  readonly carriers: Carriers
  readonly log: Log
  readonly records: CallRecords
  /** Dials with a SIP line of this instance. */
  readonly dialLine: (call: PhoneCallRecord, connection: PhoneConnectionRecord) => Promise<void>
  /** Returns the URLs of the phone connection's webhooks and media sockets. */
  readonly urlsOf: (connection: PhoneConnectionRecord) => {
    readonly webhooks: string
    readonly media: string
  }
}

const ringSeconds = 60
const maxCallSeconds = 4 * 60 * 60

/** Dials a claimed call. After a crash, the row ends as failed and is not dialed again. */
export async function dialCall(
  { carriers, log, records, dialLine, urlsOf }: DialDependencies,
  call: PhoneCallRecord,
): Promise<void> {
  const { phoneConnections, phoneCalls } = records.storesOf(call)
  const fail = (detail: string) => records.end(call, { reason: 'failed', detail })
  try {
    const connection = await phoneConnections.find(call.organizationId, call.phoneConnectionId)
    if (connection?.isEnabled && connection.kind === 'sip') return await dialLine(call, connection)
    const carrier = connection?.isEnabled ? carriers.of(connection) : null
    if (connection === null || carrier === null)
      return await fail(
        (connection && carriers.problemOf(connection)) ?? 'The phone connection is not available.',
      )
    const token = newStreamToken()
    const changed = await phoneCalls.change(call.id, { tokenHash: hashToken(token) }, records.now())
    if (changed === null) return
    if (changed.endRequestedAt !== null) return await records.end(call, { reason: 'stopped', detail: null })
    const { webhooks, media } = urlsOf(connection)
    const providerCallId = await carrier.dial({
      ...{ to: call.to ?? '', from: call.from ?? '', url: media, token },
      ...{ statusUrl: `${webhooks}/status?call=${call.id}`, ringSeconds, maxSeconds: maxCallSeconds },
      answerUrl: `${webhooks}/answer?call=${call.id}&token=${token}`,
      ...{ detectsVoicemail: call.setup.voicemail === 'hang_up', idempotencyKey: call.id },
    })
    // Some providers return the ID of a request. Their webhooks name the call.
    if (!carrier.namesCallsLater) await phoneCalls.change(call.id, { providerCallId }, records.now())
    await phoneConnections.saveCheck(connection.id, null, records.now())
  } catch (error) {
    const failure = carriers.failureOf(error)
    if (failure === null) log.error({ err: error, callId: call.id }, 'a call could not be dialed')
    if (failure?.isOfAccount)
      await phoneConnections.saveCheck(call.phoneConnectionId, failure.detail, records.now())
    // The status webhook ends a call that was dialed anyway. Without one, it ends after a while.
    if (!failure?.isOutcomeUnknown) await fail(failure?.detail ?? 'The call could not be dialed.')
  }
}
