import type { Client } from 'pg'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDatabase } from '#server/adapters/database/database.js'
import { openPostgres } from '#server/adapters/database/open-postgres.js'
import { hashAfter } from '#server/domain/audit/chain-hash.js'
import type { Database } from '#server/ports/database.js'
import {
  callerOf,
  patiently,
  seal,
  someChanges,
  verify,
  verifyChain,
  wholeChain,
  writeRecords,
} from '../../support/audit/audit-fixture.js'
import { testSigning } from '../../support/audit/chain-secrets.js'
import { addOrganization } from '../../support/organizations.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, startService } from '../../support/start-service.js'

let postgres: PostgresDatabase
let database: Database

beforeAll(async () => {
  postgres = await migratedDatabase()
  const pool = openPostgres(postgres.url, () => undefined)
  database = makeDatabase(pool, { close: () => pool.end(), signing: testSigning })
})

afterAll(async () => {
  await database.close()
  await postgres.drop()
})

/** Returns a new organization with a sealed chain of six records. */
async function sealedChain(): Promise<string> {
  const organizationId = uuid()
  await writeRecords(database, callerOf(organizationId), someChanges(6))
  await seal(database)
  return organizationId
}

type Tampering = (client: Client, organizationId: string) => Promise<unknown>

/** Runs a statement that the service never runs. `$1` is the organization. */
const run =
  (sql: string): Tampering =>
  (client, organizationId) =>
    client.query(sql, [organizationId])

const change = (assignment: string, place = 3) =>
  run(`update audit_record set ${assignment} where organization_id = $1 and sequence = ${place}`)

const remove = (places: string) =>
  run(`delete from audit_record where organization_id = $1 and sequence ${places}`)

/** Rewrites a record as consistently as possible without the key. */
const forge =
  (place: number): Tampering =>
  async (client, organizationId) => {
    const { rows } = await client.query<{ canonical: string; previous: string }>(
      `select replace(canonical, 'agent.update', 'agent.create') as canonical,
         (select hash from audit_record where organization_id = $1 and sequence = $2 - 1) as previous
       from audit_record where organization_id = $1 and sequence = $2`,
      [organizationId, place],
    )
    const { canonical = '', previous = '' } = rows[0] ?? {}
    await client.query(
      `update audit_record set action = 'agent.create', canonical = $3, hash = $4
       where organization_id = $1 and sequence = $2`,
      [organizationId, place, canonical, hashAfter(null, previous, canonical)],
    )
  }

/** Inserts a copy of the second record after it and shifts the others. */
const insertThird: Tampering = async (client, organizationId) => {
  await run(`update audit_record set sequence = sequence + 100 where organization_id = $1 and sequence > 2`)(
    client,
    organizationId,
  )
  await run(`update audit_record set sequence = sequence - 99 where organization_id = $1 and sequence > 100`)(
    client,
    organizationId,
  )
  await run(`insert into audit_record
    select gen_random_uuid(), organization_id, at, actor_type, actor_id, actor_name, action, resource_type,
      resource_id, outcome, ip_address, request_id, details, canonical, 3, hash, key_id,
      signature, sealed_at, seal_proof
    from audit_record where organization_id = $1 and sequence = 2`)(client, organizationId)
}

const swap: Tampering = async (client, organizationId) => {
  await change('sequence = -1', 2)(client, organizationId)
  await change('sequence = 2', 3)(client, organizationId)
  await change('sequence = 3', -1)(client, organizationId)
}

const changedColumns = {
  id: 'id = gen_random_uuid()',
  at: `at = at + interval '1 millisecond'`,
  actor_type: `actor_type = 'system'`,
  actor_id: 'actor_id = null',
  actor_name: `actor_name = 'Somebody else'`,
  action: `action = 'agent.delete'`,
  resource_type: `resource_type = 'Task'`,
  resource_id: `resource_id = '4'`,
  outcome: `outcome = 'refused'`,
  ip_address: `ip_address = '192.0.2.8'`,
  request_id: 'request_id = null',
  details: `details = '{"number":4}'`,
  canonical: `canonical = replace(canonical, 'agent.update', 'agent.delete')`,
  hash: `hash = encode(sha256('anything'), 'hex')`,
  signature: 'signature = null',
  sealed_at: `sealed_at = sealed_at - interval '1 minute'`,
  seal_proof: `seal_proof = 'x'`,
}

const tamperings: readonly (readonly [what: string, brokenSequence: number, Tampering])[] = [
  ['a record removed in the middle', 4, remove('= 4')],
  ['the first record removed', 1, remove('= 1')],
  ['the last record removed', 6, remove('= 6')],
  ['the last two records removed', 5, remove('>= 5')],
  ['every record removed', 1, remove('> 0')],
  ['a record moved to another organization', 3, change('organization_id = gen_random_uuid()')],
  ['a record removed from the chain', 3, change('sequence = null, hash = null')],
  ['two records swapped', 2, swap],
  ['an inserted record', 3, insertThird],
  ['a record rewritten with its text', 3, change(`action = 'x', ${changedColumns.canonical}`)],
  ['a record rewritten with its text and hash', 3, forge(3)],
  ['the last record rewritten with its text and hash', 6, forge(6)],
  ['the head with another hash', 6, run(`update audit_chain set hash = 'x' where organization_id = $1`)],
  ['the head removed', 1, run('delete from audit_chain where organization_id = $1')],
  [
    'the head set back',
    5,
    run(`update audit_chain set sequence = 4, hash = (select hash from audit_record
      where organization_id = $1 and sequence = 4) where organization_id = $1`),
  ],
]

const columnTamperings = Object.entries(changedColumns).map(
  ([column, assignment]) => [`a changed ${column}`, 3, change(assignment)] as const,
)

describe('verify', () => {
  test('finds nothing in an unchanged chain and counts the unsealed records [AUD-4]', async () => {
    const organizationId = await sealedChain()
    const whole = wholeChain(6)
    expect(await verifyChain(database, organizationId)).toEqual(whole)
    await writeRecords(database, callerOf(organizationId), someChanges(2))
    const waiting = await verifyChain(database, organizationId)
    expect(waiting).toEqual({ ...whole, unsealedCount: 2 })
  })

  test('finds nothing in a new chain [AUD-4]', async () => {
    const organizationId = uuid()
    await writeRecords(database, callerOf(organizationId), [])
    const nothing = await verifyChain(database, organizationId)
    expect(nothing).toMatchObject({ valid: true, checkedCount: 0, unsealedCount: 0 })
  })

  test.each([...columnTamperings, ...tamperings])(
    'finds %s, at record %i [AUD-4]',
    async (_, brokenSequence, tamper) => {
      const [organizationId, untouchedId] = [await sealedChain(), await sealedChain()]
      await withPostgresClient(postgres.url, (client) => tamper(client, organizationId))

      const found = await verifyChain(database, organizationId)
      expect(found).toMatchObject({ valid: false, brokenSequence })
      expect(found.checkedCount).toBeLessThanOrEqual(6)
      expect(await verifyChain(database, untouchedId)).toMatchObject({
        valid: true,
      })
    },
  )

  test('finds a change beyond the first page of a long chain [AUD-4]', async () => {
    const organizationId = uuid()
    await writeRecords(database, callerOf(organizationId), someChanges(1100))
    await seal(database)
    await writeRecords(database, callerOf(organizationId), someChanges(3))
    await withPostgresClient(postgres.url, (client) => change(`action = 'x'`, 1007)(client, organizationId))
    expect(await verifyChain(database, organizationId)).toEqual({
      ...wholeChain(1006),
      valid: false,
      unsealedCount: 3,
      brokenSequence: 1007,
      detail: expect.stringContaining('1007'),
    })
  })

  test("is available over HTTP for the caller's organization [AUD-4]", async () => {
    const running = await startService({ env: { DATABASE_URL: postgres.url } })
    const organization = await addOrganization(running)
    const client = running.client.as(organization)
    for (const title of ['One', 'Two']) await client.call('POST', '/api/v1/Task', { body: { title } })
    await expect
      .poll(() => verify(client), patiently)
      .toMatchObject({ valid: true, checkedCount: 2, unsealedCount: 0 })
    await withPostgresClient(postgres.url, (sql) =>
      change(`action = 'x'`, 2)(sql, organization.organizationId),
    )
    expect(await verify(client)).toMatchObject({ valid: false, checkedCount: 1, brokenSequence: 2 })
    const other = await addOrganization(running)
    expect(await verify(running.client.as(other))).toMatchObject({ valid: true, checkedCount: 0 })
    await running.close()
  })
})
