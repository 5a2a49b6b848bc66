import type { PhoneConnectionTest } from '@parley/contract'
import type { Carriers } from '../../ports/carriers.js'
import type { PhoneLines } from '../../ports/phone-lines.js'
import type { Clock, Timers } from '../../ports/time.js'
import type { CallerScope } from '../caller-scope.js'
import { notFound } from '../domain-error.js'
import { testSipAccount } from './test-sip-account.js'

export interface TestPhoneConnectionDependencies {
  readonly clock: Clock
  readonly timers: Timers
  readonly carriers: Carriers
  readonly phoneLines: PhoneLines
}

/** Asks the provider whether it accepts the account, and saves the answer as the state of the phone connection. */
export async function testPhoneConnection(
  dependencies: TestPhoneConnectionDependencies,
  { stores, caller }: CallerScope,
  id: string,
): Promise<PhoneConnectionTest> {
  const { clock, carriers } = dependencies
  const connection = await stores.phoneConnections.find(caller.organizationId, id)
  if (connection === null) throw notFound('PhoneConnection')
  const start = performance.now()
  const found =
    connection.kind === 'sip'
      ? await testSipAccount(dependencies, stores, connection)
      : await carriers.test(connection)
  const durationMilliseconds = Math.round(performance.now() - start)
  // Without an API, only a call shows whether the secret is right.
  if (found.ok && found.providerStatus === null) return { ...found, durationMilliseconds }
  // The result says nothing about an account that was changed in the meantime.
  const current = await stores.phoneConnections.find(caller.organizationId, id)
  if (current?.version === connection.version)
    await stores.phoneConnections.saveCheck(id, found.ok ? null : found.detail, clock.now().toISOString())
  return { ...found, durationMilliseconds }
}
