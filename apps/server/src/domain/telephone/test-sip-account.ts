import type { PhoneConnectionTest } from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import type { LineTrial, PhoneLines } from '../../ports/phone-lines.js'
import type { PhoneConnectionRecord } from '../../ports/phone-stores.js'
import type { Timers } from '../../ports/time.js'
import { explainRegistration } from './registration-failure.js'

export interface TestSipAccountDependencies {
  readonly timers: Timers
  readonly phoneLines: PhoneLines
}

type Result = Omit<PhoneConnectionTest, 'durationMilliseconds'>

/** How long a new line may take until its first result is stored. */
const lineMilliseconds = 10_000
const pollMilliseconds = 250

/**
 * Tests a SIP account. The state of its line answers if it is registered, because some registrars keep only one registration
 * of an account, and a second one would replace that of the line. Otherwise this instance registers for a moment.
 */
export async function testSipAccount(
  { timers, phoneLines }: TestSipAccountDependencies,
  stores: Stores,
  connection: PhoneConnectionRecord,
): Promise<Result> {
  const { sealedSecret, isEnabled, checkedAt } = connection
  if (sealedSecret === null)
    return failed(null, 'No secret is stored for this phone connection. Set secret and try again.')
  const isNew = isEnabled && checkedAt === null
  const current = isNew ? await untilChecked({ timers }, stores, connection) : connection
  if (isHeld(current) && current.failure === null)
    return { ok: true, detail: describeReady(current), providerStatus: statusOfReady(current) }
  if (isNew && current.failure !== null) return failed(null, current.failure)
  return describe(await phoneLines.tryOut(connection), connection)
}

function isHeld({ isEnabled, lineInstanceId, checkedAt }: PhoneConnectionRecord): boolean {
  return isEnabled && lineInstanceId !== null && checkedAt !== null
}

/** Waits for the first result of a line that is being opened, because its registration must not be disturbed. */
async function untilChecked(
  { timers }: Pick<TestSipAccountDependencies, 'timers'>,
  stores: Stores,
  connection: PhoneConnectionRecord,
): Promise<PhoneConnectionRecord> {
  const end = timers.monotonic() + lineMilliseconds
  let current = connection
  while (current.checkedAt === null && timers.monotonic() < end) {
    await timers.sleep(pollMilliseconds)
    current = (await stores.phoneConnections.find(connection.organizationId, connection.id)) ?? current
  }
  return current
}

function describeReady({ sip }: PhoneConnectionRecord): string {
  return sip?.registers
    ? `The account is registered with ${sip.host}.`
    : 'The line is open. The account does not register, so only a call shows whether the host accepts it.'
}

const statusOfReady = ({ sip }: PhoneConnectionRecord) => (sip?.registers ? 200 : null)

function describe(trial: LineTrial, { sip, isEnabled }: PhoneConnectionRecord): Result {
  switch (trial.kind) {
    case 'registered': {
      const next = isEnabled
        ? 'The line registers in a few seconds.'
        : 'Enable the phone connection to use it.'
      return { ok: true, detail: `The registrar accepted the account. ${next}`, providerStatus: 200 }
    }
    case 'found':
      return {
        ok: true,
        providerStatus: null,
        detail:
          'The host was found. The account does not register, so only a call shows whether the host accepts it.',
      }
    case 'unopened':
      return failed(null, trial.detail)
    case 'failed':
      return failed(trial.status, sip === null ? trial.reason : explainRegistration({ ...trial }, sip))
  }
}

function failed(providerStatus: number | null, detail: string): Result {
  return { ok: false, detail, providerStatus }
}
