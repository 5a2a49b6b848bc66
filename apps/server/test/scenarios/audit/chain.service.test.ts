import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDatabase } from '#server/adapters/database/database.js'
import { openPostgres } from '#server/adapters/database/open-postgres.js'
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
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'

let database: PostgresDatabase

beforeAll(async () => {
  database = await migratedDatabase()
})

afterAll(() => database.drop())

/** Returns the sequence numbers of an organization's records in the order they were written. */
function placesOf(organizationId: string): Promise<number[]> {
  return withPostgresClient(database.url, async (client) => {
    const { rows } = await client.query<{ place: number }>(
      'select sequence::int as place from audit_record where organization_id = $1 order by id',
      [organizationId],
    )
    return rows.map((row) => row.place)
  })
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('the chain with two services on one database', () => {
  let first: RunningService
  let second: RunningService

  beforeAll(async () => {
    first = await startService({ env: { DATABASE_URL: database.url } })
    second = await startService({ env: { DATABASE_URL: database.url } })
  })

  afterAll(async () => {
    await first.close()
    await second.close()
  })

  test('has no gap and no fork after 200 concurrent changes [AUD-3]', async () => {
    const organizations = [await addOrganization(first), await addOrganization(first)]
    const create = (index: number) => {
      const service = index % 2 === 0 ? first : second
      const organization = organizations[Math.floor(index / 2) % 2]
      return service.client.as({ ...organization }).call('POST', '/api/v1/Task', {
        body: { title: `Task ${index}` },
      })
    }
    const answers = await Promise.all(upTo(200).map(create))
    expect(answers.filter((answer) => answer.status !== 201)).toEqual([])

    for (const organization of organizations) {
      await expect.poll(() => verify(second.client.as(organization)), patiently).toEqual(wholeChain(100))
      const places = await placesOf(organization.organizationId)
      expect(places.toSorted((one, other) => one - other)).toEqual(upTo(100))
    }
  })

  test('can be verified while it grows [AUD-3]', async () => {
    const organization = await addOrganization(first)
    const client = second.client.as(organization)
    const changes = upTo(40).map((index) =>
      first.client.as(organization).call('POST', '/api/v1/Task', { body: { title: `Task ${index}` } }),
    )
    const verifications = await Promise.all(upTo(40).map(() => verify(client)))
    await Promise.all(changes)
    expect(verifications.filter(({ valid }) => !valid)).toEqual([])
    await expect.poll(() => verify(client), patiently).toMatchObject({ valid: true, checkedCount: 40 })
  })
})

describe('concurrent sealing', () => {
  let sealers: Database[]

  beforeAll(() => {
    sealers = upTo(2).map(() => {
      const pool = openPostgres(database.url, () => undefined)
      return makeDatabase(pool, { close: () => pool.end(), signing: testSigning })
    })
  })

  afterAll(() => Promise.all(sealers.map((sealer) => sealer.close())))

  test('seals each record once and in the order of writing, over many batches [AUD-3]', async () => {
    const [one, other] = sealers as [Database, Database]
    const organizations = [uuid(), uuid()]
    for (const organizationId of organizations)
      await writeRecords(one, callerOf(organizationId), someChanges(601))

    const counts = await Promise.all([one, other, one, other, one, other].map(seal))
    expect(counts.reduce((sum, count) => sum + count)).toBe(1202)
    for (const organizationId of organizations) {
      expect(await placesOf(organizationId)).toEqual(upTo(601))
      expect(await verifyChain(other, organizationId)).toMatchObject({
        valid: true,
        checkedCount: 601,
        unsealedCount: 0,
      })
    }
    expect(await seal(one)).toBe(0)
  })

  test('continues after a seal that was not committed [AUD-3]', async () => {
    const [one] = sealers as [Database]
    const organizationId = uuid()
    await writeRecords(one, callerOf(organizationId), someChanges(3))
    const broken = one.transaction(async ({ audit }) => {
      await audit.lockHead(organizationId)
      const [record] = await audit.unsealed(organizationId, { afterId: null, limit: 1 })
      const seal = { keyId: 'a', sealedAt: new Date().toISOString(), sealProof: 'lost' }
      await audit.seal([{ id: record?.id ?? '', sequence: 1, hash: 'lost', ...seal }])
      throw new Error('the process dies here')
    })
    await expect(broken).rejects.toThrow('dies here')
    await seal(one)
    expect(await placesOf(organizationId)).toEqual([1, 2, 3])
    expect(await verifyChain(one, organizationId)).toMatchObject({
      valid: true,
    })
  })

  test('continues for the other chains if one chain was tampered with [AUD-3]', async () => {
    const [one] = sealers as [Database]
    const [broken, ...whole] = [uuid(), uuid(), uuid()] as [string, ...string[]]
    await writeRecords(one, callerOf(broken), someChanges(1))
    await seal(one)
    await withPostgresClient(database.url, (client) =>
      client.query('delete from audit_chain where organization_id = $1', [broken]),
    )
    for (const organizationId of [broken, ...whole])
      await writeRecords(one, callerOf(organizationId), someChanges(2))

    await expect(seal(one)).rejects.toThrow('Some audit records could not be sealed.')
    for (const organizationId of whole) expect(await placesOf(organizationId)).toEqual([1, 2])
  })
})
