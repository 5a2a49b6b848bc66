import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { systemTimers } from '#server/adapters/system/timers.js'
import { SipLines } from '#server/domain/telephone/sip-lines.js'
import type { PhoneConnectionRecord } from '#server/ports/phone-stores.js'
import { databaseKinds } from '../../support/start-service.js'
import { makePhoneConnection } from '../../support/stores/phone-records.js'
import {
  newOrganization,
  openStoreDatabase,
  type StoreDatabase,
} from '../../support/stores/store-database.js'

const maxLines = 200
const leaseSeconds = 3600
const minute = 60_000

describe.each(databaseKinds)('the SIP lines of an instance on the %s database', (kind) => {
  let database: StoreDatabase
  let late = 0

  beforeAll(async () => {
    database = await openStoreDatabase(kind)
  })

  afterAll(() => database.close())

  /** An instance whose lines open at once. Those in `stuck` are never unregistered. */
  async function makeInstance(stuck: readonly string[] = []) {
    const instanceId = uuid()
    await database.stores.instanceLeases.renew(instanceId, leaseSeconds)
    const opened: string[] = []
    const lines = new SipLines({
      ...{ database, timers: systemTimers, instanceId, leaseSeconds, isDraining: () => false },
      clock: { now: () => new Date(Date.now() + late) },
      log: { debug: log, info: log, warn: log, error: log },
      called: () => expect.fail('No call was made.'),
      lines: {
        async open({ id }) {
          opened.push(id)
          const ends = () => (stuck.includes(id) ? new Promise<void>(() => undefined) : Promise.resolve())
          return {
            ok: true,
            line: { dial: () => expect.fail('No call was made.'), drain: ends, close: ends },
          }
        },
        tryOut: () => expect.fail('No account was tried.'),
        close: async () => undefined,
      },
    })
    return { lines, opened, instanceId }
  }

  async function addLine(organizationId: string): Promise<PhoneConnectionRecord> {
    const connection = makePhoneConnection(organizationId)
    const at = new Date().toISOString()
    const line = {
      ...{ ...connection, kind: 'sip' as const, externalId: null, isEnabled: true, lineInstanceId: null },
      ...{ createdAt: at, updatedAt: at, checkedAt: null, failure: null },
    }
    await database.stores.phoneConnections.insert(line)
    return line
  }

  const find = ({ organizationId, id }: PhoneConnectionRecord) =>
    database.stores.phoneConnections.find(organizationId, id)

  test('are shared by the organizations, and one without room shows that [SIP-14]', async () => {
    const [many, few, newcomer] = [
      await newOrganization(database),
      await newOrganization(database),
      await newOrganization(database),
    ]
    const first: PhoneConnectionRecord[] = []
    for (let count = 0; count < maxLines; count += 1) first.push(await addLine(many))
    const other = await addLine(few)
    const { lines, opened } = await makeInstance()
    await lines.poll()
    expect(opened).toContain(other.id)
    while (opened.length < maxLines) await lines.poll()
    const [left] = first.filter(({ id }) => !opened.includes(id))
    if (left === undefined) throw new Error('Every line is held.')
    await lines.poll()
    // Another instance may claim it within a minute.
    expect(await find(left)).toMatchObject({ failure: null, checkedAt: null })
    late = 2 * minute
    await lines.poll()
    const failed = await find(left)
    expect(failed).toMatchObject({
      failure: 'No instance has room for this line, because each holds 200. Add an instance.',
      version: left.version,
    })
    // The failure is stored once.
    late = 3 * minute
    await lines.poll()
    expect(await find(left)).toEqual(failed)

    const newest = await addLine(newcomer)
    const second = await makeInstance()
    await second.lines.poll()
    expect(second.opened.sort()).toEqual([newest.id, left.id].sort())
    await vi.waitFor(async () => expect(await find(left)).toMatchObject({ failure: null }))
    await Promise.all([lines.stop(), second.lines.stop()])
    const at = new Date().toISOString()
    for (const id of [many, few, newcomer]) await database.stores.phoneConnections.disableAll(id, at)
  })

  test('do not wait for the end of the registration of another line [SIP-16]', async () => {
    const organizationId = await newOrganization(database)
    const slow = await addLine(organizationId)
    const { lines, opened } = await makeInstance([slow.id])
    await lines.poll()
    await vi.waitFor(() => expect(lines.dialable).toEqual([slow.id]))
    const claimed = await find(slow)
    if (claimed === null) throw new Error('The line is missing.')
    const changed = { ...claimed, accountId: 'changed', version: claimed.version + 1 }
    await database.stores.phoneConnections.update(changed, claimed.version)
    const quick = await addLine(organizationId)
    await lines.poll()
    // The replacement waits, because two registrations of an account would disturb each other.
    expect(opened).toEqual([slow.id, quick.id])
    // The provider never answers.
    await vi.waitFor(async () => {
      await lines.poll()
      expect(opened).toEqual([slow.id, quick.id, slow.id])
    }, 30_000)
  })
})

const log = () => undefined
