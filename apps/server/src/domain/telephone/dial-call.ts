import type { Carriers } from '../../ports/carriers.js'
import type { Log } from '../../ports/log.js'
import type { PhoneCallRecord, PhoneConnectionRecord } from '../../ports/phone-stores.js'
import { hashToken } from '../new-id.js'
import type { CallRecords } from './call-records.js'
import { allowsNumber } from './phone-calls.js'
import { quietHoursRefusal } from './quiet-hours.js'
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

/** How long a queued call waits for an instance that can dial it. */
export const maxQueuedMilliseconds = 2 * 60 * 1000

const ringSeconds = 60
const maxCallSeconds = 4 * 60 * 60

const notAvailable = 'The phone connection is not available.'

/** Returns why a call that was queued may not be dialed now, or null. The phone connection may have changed since. */
function refusalOf(call: PhoneCallRecord, connection: PhoneConnectionRecord, now: Date): string | null {
  const { name, isEnabled } = connection
  if (!isEnabled) return `The phone connection ${name} is not enabled.`
  if (now.getTime() - Date.parse(call.createdAt) > maxQueuedMilliseconds)
    return 'The call was not dialed within two minutes.'
  if (!allowsNumber(connection, call.to ?? ''))
    return `The number does not begin with one of the allowedPrefixes of the phone connection ${name}.`
  return quietHoursRefusal(connection, now)
}

/** Detection costs extra at some providers, and sometimes takes a person for a voicemail. */
const detectsVoicemail = ({ voicemail = 'talk' }: PhoneCallRecord['setup']) => voicemail !== 'talk'

/** Dials a claimed call. After a crash, the row ends as failed and is not dialed again. */
export async function dialCall(
  { carriers, log, records, dialLine, urlsOf }: DialDependencies,
  call: PhoneCallRecord,
): Promise<void> {
  const { phoneConnections, phoneCalls } = records.storesOf(call)
  const fail = (detail: string) => records.end(call, { reason: 'failed', detail })
  try {
    const connection = await phoneConnections.find(call.organizationId, call.phoneConnectionId)
    if (connection === null) return await fail(notAvailable)
    const refusal = refusalOf(call, connection, new Date(records.now()))
    if (refusal !== null) return await fail(refusal)
    if (connection.kind === 'sip') return await dialLine(call, connection)
    const carrier = carriers.of(connection)
    if (carrier === null) return await fail(carriers.problemOf(connection) ?? notAvailable)
    const token = newStreamToken()
    const changed = await phoneCalls.change(call.id, { tokenHash: hashToken(token) }, records.now())
    if (changed === null) return
    if (changed.endRequestedAt !== null) return await records.end(call, { reason: 'stopped', detail: null })
    const { webhooks, media } = urlsOf(connection)
    const providerCallId = await carrier.dial({
      to: call.to ?? '',
      from: call.from ?? '',
      url: media,
      token,
      statusUrl: `${webhooks}/status?call=${call.id}`,
      ringSeconds,
      maxSeconds: maxCallSeconds,
      answerUrl: `${webhooks}/answer?call=${call.id}&token=${token}`,
      detectsVoicemail: detectsVoicemail(call.setup),
      idempotencyKey: call.id,
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
