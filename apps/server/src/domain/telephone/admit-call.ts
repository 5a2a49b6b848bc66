import type { CarrierCall } from '@parley/telephone'
import type { Stores } from '../../ports/database.js'
import type { PhoneCallRecord, PhoneConnectionRecord, PhoneNumberRecord } from '../../ports/phone-stores.js'
import type { Clock } from '../../ports/time.js'
import { hashToken } from '../new-id.js'
import type { CallRecords } from './call-records.js'
import { type ConnectedNumber, isConnected, newCall, setupOf } from './phone-calls.js'
import { newStreamToken } from './stream-token.js'

export interface AdmitDependencies {
  readonly clock: Clock
  readonly instanceId: string
  readonly records: CallRecords
}

/** Why a call is rejected: unknown number, unwelcome caller, or no agent. */
export type RejectionCause = 'unknown' | 'unwelcome' | 'unavailable'

export type Admission =
  | { readonly kind: 'rejected'; readonly cause: RejectionCause }
  | { readonly kind: 'busy' | 'repeated' }
  | { readonly kind: 'admitted'; readonly call: PhoneCallRecord; readonly token: string }

interface IncomingCase {
  readonly connection: PhoneConnectionRecord
  readonly number: ConnectedNumber
  readonly from: string | null
}

type Refusal = { readonly detail: string } & (
  | { readonly reason: 'rejected'; readonly cause: RejectionCause }
  | { readonly reason: 'busy' }
)

/** Decides on an incoming call under the lock of its phone connection, and stores it. */
export async function admitCall(
  { clock, instanceId, records }: AdmitDependencies,
  stores: Stores,
  { organizationId, id }: Pick<PhoneConnectionRecord, 'organizationId' | 'id'>,
  { callId, from, to }: Pick<CarrierCall, 'callId' | 'from' | 'to'>,
): Promise<Admission> {
  const rejected = (cause: RejectionCause) => ({ kind: 'rejected', cause }) as const
  const connection = await stores.phoneConnections.findLocked(organizationId, id)
  const number = await stores.phoneNumbers.findByNumber(id, to)
  if (number === null || !isConnected(number)) return rejected('unknown')
  const { agentId } = number
  if (!connection?.isEnabled || !number.isEnabled || agentId === null) return rejected('unavailable')
  // A repeated request gets no second call.
  if ((await stores.phoneCalls.findByProviderId(id, callId)) !== null) return { kind: 'repeated' }
  const token = newStreamToken()
  const call: PhoneCallRecord = {
    ...newCall(clock, { number, agentId }),
    direction: 'incoming',
    from,
    to,
    state: 'ringing',
    apiKeyId: null,
    providerCallId: callId,
    conversationId: null,
    endUserId: null,
    instanceId,
    tokenHash: hashToken(token),
    setup: setupOf(number, { greeting: number.greeting, additionalInstructions: null }),
  }
  const refusal = await refusalOf(stores, { connection, number, from })
  if (refusal === null) {
    await stores.phoneCalls.insert(call)
    await records.record(stores, call, 'phone_call.start')
    return { kind: 'admitted', call, token }
  }
  const { reason, detail } = refusal
  const ended = { state: 'ended', endReason: reason, endDetail: detail, endedAt: call.createdAt } as const
  await stores.phoneCalls.insert({ ...call, ...ended, tokenHash: null })
  await records.record(stores, call, 'phone_call.reject')
  return refusal.reason === 'busy' ? { kind: 'busy' } : rejected(refusal.cause)
}

/** Returns why the number does not take the call, or null. */
async function refusalOf(
  stores: Stores,
  { connection, number, from }: IncomingCase,
): Promise<Refusal | null> {
  if (!isWelcome(number, from))
    return {
      reason: 'rejected',
      cause: 'unwelcome',
      detail: 'The phone number does not accept this caller.',
    }
  const { agentId, organizationId } = number
  if (agentId === null || (await stores.agents.find(organizationId, agentId)) === null)
    return {
      reason: 'rejected',
      cause: 'unavailable',
      detail: 'The agent of the phone number was deleted.',
    }
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
