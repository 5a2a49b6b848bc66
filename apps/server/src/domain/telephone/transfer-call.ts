import type { Transfer } from '@parley/telephone'
import type { Carriers } from '../../ports/carriers.js'
import type { Database } from '../../ports/database.js'
import type { PhoneCallRecord } from '../../ports/phone-stores.js'
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

/** Connects the other party of an active call with another number. The call may run on any instance. */
export async function transferCall(
  { database, clock, carriers, calls }: TransferDependencies,
  { stores, caller }: CallerScope,
  { id, to }: { readonly id: string; readonly to: string },
): Promise<undefined> {
  const { organizationId } = caller
  const call = await stores.phoneCalls.find(organizationId, id)
  if (call === null) throw notFound('Call')
  const connection = await stores.phoneConnections.find(organizationId, call.phoneConnectionId)
  const carrier = connection && carriers.of(connection)
  if (connection?.kind === 'asterisk')
    throw new DomainError('Conflict', 'Phone connections of kind asterisk cannot transfer calls.')
  if (call.state !== 'active' || call.providerCallId === null || connection === null || carrier === null)
    throw new DomainError('Conflict', 'Only active calls can be transferred.')
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
  const running = calls.get(id)
  const failure = running
    ? await running.transfer(to)
    : await carrier.transfer(call.providerCallId, transferOf(call, to)).then(
        () => null,
        (error) => carriers.failureOf(error)?.detail ?? 'The provider refused the transfer.',
      )
  if (failure !== null) throw new DomainError('Conflict', failure)
}

/** The provider shows the caller's number for calls that came in. */
function transferOf({ direction, from, to: called }: PhoneCallRecord, to: string): Transfer {
  const ownNumber = direction === 'outgoing' ? from : called
  return { to, from: direction === 'outgoing' ? from : null, ...(ownNumber !== null && { ownNumber }) }
}
