import type { Transfer } from '@parley/telephone'
import type { Carriers } from '../../ports/carriers.js'
import type { Database } from '../../ports/database.js'
import type { PhoneCallRecord, PhoneConnectionRecord } from '../../ports/phone-stores.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError, notFound } from '../domain-error.js'
import { detailsOf, requireAllowedNumber } from './phone-calls.js'
import type { RunningCalls } from './running-calls.js'

export interface TransferDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly carriers: Carriers
  readonly calls: Pick<RunningCalls, 'get'>
}

/**
 * Connects the other party of an active call with another number. Calls of carriers may run on any instance, SIP calls only
 * on this one.
 */
export async function transferCall(
  dependencies: TransferDependencies,
  { stores, caller }: CallerScope,
  { id, to }: { readonly id: string; readonly to: string },
): Promise<undefined> {
  const { database, clock } = dependencies
  const { organizationId } = caller
  const call = await stores.phoneCalls.find(organizationId, id)
  if (call === null) throw notFound('Call')
  const connection = await stores.phoneConnections.find(organizationId, call.phoneConnectionId)
  const { providerCallId } = call
  if (connection?.kind === 'asterisk')
    throw new DomainError('Conflict', 'Phone connections of kind asterisk cannot transfer calls.')
  if (call.state !== 'active' || providerCallId === null || connection === null)
    throw new DomainError('Conflict', 'Only active calls can be transferred.')
  const transfer = transferOf(dependencies, { call, connection, providerCallId })
  requireAllowedNumber(connection, to)
  // The record comes first, because a transfer costs money.
  await database
    .ownedBy({ organizationId, kind: 'call' })
    .transaction((inside) =>
      recordChange(
        clock,
        { stores: inside, caller },
        { action: 'phone_call.transfer', type: 'PhoneCall', id, details: detailsOf(call) },
      ),
    )
  const failure = await transfer(to)
  if (failure !== null) throw new DomainError('Conflict', failure)
}

interface TransferredCall {
  readonly call: PhoneCallRecord
  readonly connection: PhoneConnectionRecord
  readonly providerCallId: string
}

/** Returns the function that transfers the call. It returns why that failed, or null. */
function transferOf(
  { carriers, calls }: TransferDependencies,
  { call, connection, providerCallId }: TransferredCall,
): (to: string) => Promise<string | null> {
  const running = calls.get(call.id)
  if (running !== null) return (to) => running.transfer(to)
  if (connection.kind === 'sip')
    throw new DomainError('Conflict', 'SIP calls can only be transferred on the instance that runs them.')
  const carrier = carriers.of(connection)
  if (carrier === null)
    throw new DomainError('Conflict', carriers.problemOf(connection) ?? 'The phone connection has no API.')
  return async (to) => {
    try {
      await carrier.transfer(providerCallId, numbersOf(call, to))
      return null
    } catch (error) {
      const failure = carriers.failureOf(error)
      if (failure === null) throw error
      return failure.detail
    }
  }
}

/** The provider shows the caller's number for calls that came in. */
function numbersOf({ direction, from, to: called }: PhoneCallRecord, to: string): Transfer {
  const ownNumber = direction === 'outgoing' ? from : called
  return { to, from: direction === 'outgoing' ? from : null, ...(ownNumber !== null && { ownNumber }) }
}
