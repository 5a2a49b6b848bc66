import type { Client } from 'pg'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeDatabase } from '#server/adapters/database/database.js'
import { migrate } from '#server/adapters/database/migrate.js'
import { openPostgres } from '#server/adapters/database/open-postgres.js'
import { systemClock } from '#server/adapters/system/clock.js'
import { beginChain } from '#server/domain/audit/chain-head.js'
import { type AuditedChange, recordChange } from '#server/domain/audit/record-change.js'
import { sealAuditLog } from '#server/domain/audit/seal.js'
import { SealLog } from '#server/domain/audit/seal-log.js'
import type { Database } from '#server/ports/database.js'
import { callerOf, seal, someChanges, verifyChain, writeRecords } from '../../support/audit/audit-fixture.js'
import { chainSecrets, testSigning } from '../../support/audit/chain-secrets.js'
import { makeUnsigned } from '../../support/audit/forger.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase } from '../../support/start-service.js'

/*
 * An attacker who can write every row lets the service itself seal forged records.
 */

let postgres: PostgresDatabase
let database: Database
let organizationId: string

beforeAll(async () => {
  postgres = await migratedDatabase()
  const pool = openPostgres(postgres.url, () => undefined)
  database = makeDatabase(pool, { close: () => pool.end(), signing: testSigning })
})

afterAll(async () => {
  await database.close()
  await postgres.drop()
})

beforeEach(async () => {
  // A chain that the service does not seal would fail the sealing of the next test.
  await run('delete from audit_record')
  await run('delete from audit_changeover')
  organizationId = uuid()
})

/** Five minutes ago. A record that is sealed now counts as sealed late. */
const longAgo = () => ({ now: () => new Date(Date.now() - 5 * 60_000) })

const run = (sql: string, values: readonly unknown[] = []) =>
  withPostgresClient(postgres.url, (client: Client) => client.query(sql, [...values]))

const write = (changes: readonly AuditedChange[], clock?: { now(): Date }) =>
  writeRecords(database, callerOf(organizationId), changes, clock)

const verified = () => verifyChain(database, organizationId)

const removeSeals = (where = 'true') =>
  run(
    `update audit_record set sequence = null, hash = null, key_id = null, sealed_at = null, seal_proof = null
     where ${where}`,
  )

/** Inserts a copy of a record with a new id and matching text. */
async function insertForged(signature: string): Promise<string> {
  const id = uuid()
  await run(
    `insert into audit_record (id, organization_id, at, actor_type, actor_id, actor_name, action, resource_type,
       resource_id, outcome, ip_address, request_id, details, canonical, signature)
     select $1::uuid, organization_id, at, actor_type, actor_id, actor_name, action, resource_type, resource_id, outcome,
       ip_address, request_id, details, replace(canonical, id::text, $1::text), ${signature}
     from audit_record order by id limit 1`,
    [id],
  )
  return id
}

describe('the sealer', () => {
  test.each([
    ['without a signature', 'null'],
    ['with the signature of another record', 'signature'],
    ['with a signature by an unknown key', `'0123456789abcdef.' || repeat('0', 64)`],
  ])('never seals an inserted record %s, and verify reports it [AUD-14]', async (_, signature) => {
    await write(someChanges(3))
    await seal(database)
    const id = await insertForged(signature)
    await write(someChanges(1))
    expect(await seal(database)).toBe(1)
    const found = { valid: false, brokenSequence: 5, checkedCount: 4, rejectedCount: 1, rejectedIds: [id] }
    expect(await verified()).toMatchObject(found)
  })

  test('seals records after more forged ones than fit in a batch [AUD-14]', async () => {
    await write(someChanges(1))
    await run(
      `insert into audit_record (id, organization_id, at, actor_type, action, outcome, details, canonical)
       select gen_random_uuid(), organization_id, at, actor_type, action, outcome, details, canonical
       from audit_record, generate_series(1, 600)`,
    )
    await write(someChanges(2))
    expect(await seal(database)).toBe(3)
    expect(await verified()).toMatchObject({ valid: false, checkedCount: 3, rejectedCount: 600 })
    expect((await verified()).rejectedIds).toHaveLength(100)
  })

  test('rejects a record that was changed before it was sealed [AUD-14]', async () => {
    await write(someChanges(2))
    await run(`update audit_record set actor_name = 'Somebody else' where resource_id = '1'`)
    expect(await seal(database)).toBe(1)
    expect(await verified()).toMatchObject({ valid: false, rejectedCount: 1, checkedCount: 1 })
  })

  test('does not restart a chain whose head and seals were removed [AUD-14]', async () => {
    await write([{ action: 'organization.create', type: 'Organization', id: organizationId }])
    await write(someChanges(4))
    await seal(database)
    await removeSeals()
    await run('delete from audit_record where resource_id = $1', ['2'])
    await run('delete from audit_chain where organization_id = $1', [organizationId])
    await expect(seal(database)).rejects.toThrow('could not be sealed')
    const found = {
      valid: false,
      brokenSequence: 1,
      checkedCount: 0,
      detail: expect.stringContaining('missing'),
    }
    expect(await verified()).toMatchObject(found)
  })

  test('dates its seals, so that verify reports records that were sealed again after an old head [AUD-15]', async () => {
    const clock = longAgo()
    await write(someChanges(2), clock)
    await seal(database)
    await run('create table kept as select * from audit_chain where organization_id = $1', [organizationId])
    await write(someChanges(3))
    await seal(database)
    expect(await verified()).toMatchObject({ valid: true, lateSequences: [1, 2] })
    await run('delete from audit_record where organization_id = $1 and sequence = 3', [organizationId])
    await removeSeals('sequence > 2')
    await run('delete from audit_chain where organization_id = $1', [organizationId])
    await run('insert into audit_chain select * from kept')
    await run('drop table kept')
    // A minute passes before the forged rows are sealed.
    const later = { now: () => new Date(Date.now() + 61_000) }
    await sealAuditLog({ database, clock: later, ...chainSecrets })
    expect(await verified()).toMatchObject({
      valid: true,
      ...{ checkedCount: 4, lateCount: 4, lateSequences: [1, 2, 3, 4] },
      detail: expect.stringContaining('sealed more than a minute after'),
    })
  })

  test('reports rejected records once and logs the heads it has moved [AUD-16]', async () => {
    const lines: object[] = []
    const note = (fields: object, message: string) => void lines.push({ ...fields, message })
    const log = new SealLog({ debug: note, info: note, warn: note, error: note })
    const sealWithLog = () => sealAuditLog({ database, clock: systemClock, ...chainSecrets, listener: log })
    await write(someChanges(2))
    await insertForged('null')
    await sealWithLog()
    await sealWithLog()
    expect(lines).toEqual([expect.objectContaining({ organizationId, count: 1 })])
    log.writeHeads()
    log.writeHeads()
    const { hash } = (await database.stores.audit.findHead(organizationId)) ?? {}
    expect(lines.slice(1)).toEqual([{ organizationId, sequence: 2, hash, message: 'audit head' }])
  })
})

describe('the audit log after the upgrade to signatures', () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
  const inADay = () => new Date(Date.now() + 24 * 3_600_000).toISOString()
  const aMinuteAgo = () => new Date(Date.now() - 60_000).toISOString()

  /** Writes a record as an instance of the previous version does. */
  async function writeAsPreviousVersion(change: AuditedChange): Promise<void> {
    await database.transaction((stores) =>
      recordChange(systemClock, { stores, caller: callerOf(organizationId) }, change),
    )
    await run('update audit_record set signature = null where sequence is null')
  }

  const allow = (unsignedThrough: number, unsignedUntil: string) =>
    withPostgresClient(postgres.url, (client) =>
      makeUnsigned(client, organizationId, { unsignedThrough, unsignedUntil }),
    )

  test('earlier records verify, and those of the previous version are sealed and reported for a limited time [AUD-17]', async () => {
    await write(someChanges(2))
    await seal(database)
    await run('alter table audit_record drop constraint audit_record_sealed_with_time')
    await run('update audit_record set signature = null, sealed_at = null, seal_proof = null')
    await run(`alter table audit_record add constraint audit_record_sealed_with_time
      check (sequence is null or sealed_at is not null) not valid`)
    expect(await verified()).toMatchObject({ valid: false, brokenSequence: 1 })
    await allow(2, inAnHour())
    expect(await verified()).toMatchObject({ valid: true, checkedCount: 2, unsignedCount: 0 })

    await writeAsPreviousVersion(someChanges(1)[0] as AuditedChange)
    expect(await seal(database)).toBe(1)
    expect(await verified()).toMatchObject({ valid: true, unsignedCount: 1, unsignedSequences: [3] })

    await run('delete from audit_changeover')
    await allow(2, aMinuteAgo())
    await writeAsPreviousVersion(someChanges(1)[0] as AuditedChange)
    expect(await seal(database)).toBe(0)
    expect(await verified()).toMatchObject({ valid: false, rejectedCount: 1, unsignedSequences: [3] })
  })

  test('a changeover statement that was changed or forged allows nothing [AUD-17]', async () => {
    await write(someChanges(1))
    await seal(database)
    await allow(1, aMinuteAgo())
    await run('update audit_changeover set unsigned_until = $1', [inAnHour()])
    await writeAsPreviousVersion(someChanges(1)[0] as AuditedChange)
    expect(await seal(database)).toBe(0)
    expect(await verified()).toMatchObject({ valid: false, rejectedCount: 1 })
  })

  test('an instance of the previous version may start the chain of an organization that it creates [AUD-17]', async () => {
    const other = uuid()
    await database.transaction(({ audit }) =>
      beginChain({ ...chainSecrets, clock: systemClock }, audit, other),
    )
    await withPostgresClient(postgres.url, (client) =>
      makeUnsigned(client, other, { unsignedThrough: 0, unsignedUntil: inAnHour() }),
    )
    await writeAsPreviousVersion({ action: 'organization.create', type: 'Organization', id: organizationId })
    expect(await verified()).toMatchObject({ valid: true, unsealedCount: 1 })
    expect(await seal(database)).toBe(1)
    expect(await verified()).toMatchObject({ valid: true, checkedCount: 1, unsignedSequences: [1] })
  })

  test('the chain of an organization that is older than the upgrade is not restarted [AUD-17]', async () => {
    organizationId = uuid({ msecs: Date.now() - 2 * 24 * 3_600_000 })
    // Its own statement was removed. The statement of another organization gives the time of the upgrade.
    await withPostgresClient(postgres.url, (client) =>
      makeUnsigned(client, uuid(), { unsignedThrough: 0, unsignedUntil: inAnHour() }),
    )
    await writeAsPreviousVersion({ action: 'organization.create', type: 'Organization', id: organizationId })
    await expect(seal(database)).rejects.toThrow('could not be sealed')
    expect(await verified()).toMatchObject({ valid: false, detail: expect.stringContaining('missing') })
  })

  test('a chain is not restarted if its organization has its own statement [AUD-17]', async () => {
    await allow(0, inADay())
    await writeAsPreviousVersion({ action: 'organization.create', type: 'Organization', id: organizationId })
    await expect(seal(database)).rejects.toThrow('could not be sealed')
    expect(await verified()).toMatchObject({ valid: false, detail: expect.stringContaining('missing') })
  })

  test('an instance of the previous version cannot seal [AUD-17]', async () => {
    await write(someChanges(1))
    const sealAsPreviousVersion = run(`update audit_record set sequence = 1, hash = 'x', key_id = 'y'`)
    await expect(sealAsPreviousVersion).rejects.toThrow('audit_record_sealed_with_time')
  })
})

describe('the upgrade to signatures', () => {
  const creation = () =>
    ({ action: 'organization.create', type: 'Organization', id: organizationId }) as const

  /** Returns the database to the version before signatures and applies the migration again. */
  async function upgradeAgain(): Promise<void> {
    await run('drop table audit_changeover')
    await run('alter table audit_record drop column signature, drop column sealed_at, drop column seal_proof')
    await run(`delete from migration where name like '%audit_signatures%'`)
    const pool = openPostgres(postgres.url, () => undefined)
    await migrate(pool, testSigning)
    await pool.end()
  }

  async function create(clock?: { now(): Date }): Promise<void> {
    const createdAt = new Date().toISOString()
    await database.stores.installation.insertOrganization({ id: organizationId, name: 'New', createdAt })
    await write([creation(), ...someChanges(2)], clock)
  }

  /**
   * Removes the seals and the head. An attacker can do this, and the previous version may not have written
   * them yet.
   */
  async function removeChain(): Promise<void> {
    await removeSeals()
    await run('delete from audit_chain where organization_id = $1', [organizationId])
  }

  test('starts the chain of an organization that was created right before it [AUD-17]', async () => {
    await create()
    await removeChain()
    await upgradeAgain()
    expect(await verified()).toMatchObject({
      valid: true,
      checkedCount: 0,
      unsealedCount: 3,
      rejectedCount: 0,
    })
    expect(await seal(database)).toBe(3)
    expect(await verified()).toMatchObject({ valid: true, checkedCount: 3, unsignedSequences: [1, 2, 3] })
  })

  test('reports the records of a waiting log as late [AUD-17]', async () => {
    await create(longAgo())
    await removeChain()
    await upgradeAgain()
    await seal(database)
    expect(await verified()).toMatchObject({ valid: true, checkedCount: 3, unsignedCount: 3, lateCount: 3 })
  })

  test('does not restart a chain whose head and seals were removed before it [AUD-17]', async () => {
    await create(longAgo())
    await write(someChanges(1))
    await seal(database)
    await removeChain()
    await upgradeAgain()
    await expect(seal(database)).rejects.toThrow('could not be sealed')
    expect(await verified()).toMatchObject({ valid: false, detail: expect.stringContaining('missing') })
  })

  test('does not restart a chain if only its head was removed before it [AUD-17]', async () => {
    await create()
    await seal(database)
    await run('delete from audit_chain where organization_id = $1', [organizationId])
    await upgradeAgain()
    expect(await verified()).toMatchObject({ valid: false })
  })

  test('does not start a chain whose first record is not the creation of the organization [AUD-17]', async () => {
    await create()
    await removeChain()
    await run('delete from audit_record where action = $1', ['organization.create'])
    await upgradeAgain()
    await expect(seal(database)).rejects.toThrow('could not be sealed')
    expect(await verified()).toMatchObject({ valid: false, detail: expect.stringContaining('missing') })
  })
})
