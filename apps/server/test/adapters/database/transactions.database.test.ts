import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeDatabase } from '#server/adapters/database/database.js'
import { openPostgres } from '#server/adapters/database/open-postgres.js'
import type { Stores } from '#server/ports/database.js'
import type { IdempotencyClaim } from '#server/ports/installation-stores.js'
import { testSigning } from '../../support/audit/chain-secrets.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import { databaseKinds, migratedDatabase } from '../../support/start-service.js'
import { makeAuditRecord, makeTask, unusualText } from '../../support/stores/records.js'
import {
  makeGate,
  newOrganization,
  openStoreDatabase,
  type StoreDatabase,
} from '../../support/stores/store-database.js'

const firstPage = { offset: 0, limit: 50 }
const now = '2030-01-02T03:04:05.678Z'

describe.each(databaseKinds)('transactions on the %s database [DB-1]', (kind) => {
  let database: StoreDatabase
  let stores: Stores
  let organizationId: string

  beforeAll(async () => {
    database = await openStoreDatabase(kind)
    stores = database.stores
  })

  beforeEach(async () => {
    organizationId = await newOrganization(database)
  })

  afterAll(() => database.close())

  const countTasks = async () => (await stores.tasks.list(organizationId, {}, firstPage)).totalCount

  test('a dry run returns the result of its work and stores nothing', async () => {
    const answer = await database.dryRun(async (inner) => {
      await inner.tasks.insert(makeTask(organizationId))
      return (await inner.tasks.list(organizationId, {}, firstPage)).totalCount
    })
    expect([answer, await countTasks()]).toEqual([1, 0])
    const failing = database.dryRun(() => Promise.reject(new Error('refused')))
    await expect(failing).rejects.toThrow('refused')
    expect(await countTasks()).toBe(0)
  })

  describe('a transaction', () => {
    test('returns the result of its work and stores all changes', async () => {
      const task = makeTask(organizationId)
      const answer = await database.transaction(async (inner) => {
        await inner.tasks.insert(task)
        await inner.audit.append(makeAuditRecord(organizationId))
        return inner.tasks.find(organizationId, task.id)
      })
      expect(answer).toEqual(task)
      expect(await stores.tasks.find(organizationId, task.id)).toEqual(task)
      expect(await stores.audit.countUnsealed(organizationId)).toBe(1)
    })

    test('stores nothing and rethrows the error if its work fails', async () => {
      const failure = new Error('in the middle')
      const failing = database.transaction(async (inner) => {
        await inner.tasks.insert(makeTask(organizationId))
        await inner.audit.append(makeAuditRecord(organizationId))
        expect((await inner.tasks.list(organizationId, {}, firstPage)).totalCount).toBe(1)
        throw failure
      })
      await expect(failing).rejects.toBe(failure)
      expect(await countTasks()).toBe(0)
      expect(await stores.audit.countUnsealed(organizationId)).toBe(0)
    })

    test.each([
      ['told', (error: Error) => Promise.reject(error)],
      ['kept back', () => Promise.resolve()],
    ])('stores nothing and fails after a failed statement whose error is %s', async (_how, treat) => {
      const failing = database.transaction(async (inner) => {
        await inner.tasks.insert(makeTask(organizationId))
        await inner.tasks.find(organizationId, 'not a UUID').catch(treat)
      })
      await expect(failing).rejects.toThrow()
      expect(await countTasks()).toBe(0)
      expect(await database.transaction((inner) => inner.installation.find())).toBeNull()
    })

    test('cannot continue after a unique constraint was violated', async () => {
      const task = makeTask(organizationId)
      await stores.tasks.insert(task)
      const failing = database.transaction(async (inner) => {
        await inner.audit.append(makeAuditRecord(organizationId))
        expect(await inner.tasks.insert(task)).toBe('duplicate')
      })
      await expect(failing).rejects.toThrow('the transaction was rolled back')
      expect(await stores.audit.countUnsealed(organizationId)).toBe(0)
    })

    test.each([
      ['at its end', () => Promise.resolve()],
      ['before', (inner: Stores) => inner.tasks.list(organizationId, {}, firstPage)],
    ])(
      'fails and stores nothing if a statement that was not awaited fails %s [PERF-4]',
      async (_when, goOn) => {
        const record = makeAuditRecord(organizationId)
        await stores.audit.append(record)
        const failing = database.transaction(async (inner) => {
          await inner.tasks.insert(makeTask(organizationId))
          await inner.audit.append(record)
          await goOn(inner)
        })
        await expect(failing).rejects.toMatchObject({ cause: { code: '23505' } })
        expect(await countTasks()).toBe(0)
      },
    )

    test('is not visible to others before it ends', async () => {
      const written = makeGate()
      const counted = makeGate()
      // The embedded database responds to others after the transaction has ended, PostgreSQL before that.
      const answersMeanwhile = kind !== 'embedded'
      const working = database.transaction(async (inner) => {
        await inner.tasks.insert(makeTask(organizationId))
        written.open()
        if (answersMeanwhile) await counted.opened
        else for (let turn = 0; turn < 20; turn += 1) await inner.installation.find()
      })
      await written.opened
      const seen = await countTasks()
      counted.open()
      await working
      expect(seen).toBe(answersMeanwhile ? 0 : 1)
      expect(await countTasks()).toBe(1)
    })

    test('releases its connection, however many transactions run and however they end', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 60 }, (_, index) =>
          database.transaction(async (inner) => {
            await inner.tasks.insert(makeTask(organizationId))
            if (index % 3 === 0) throw new Error('every third')
          }),
        ),
      )
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(20)
      expect(await countTasks()).toBe(40)
      // The housekeeping of the embedded database may be using the connection now.
      await vi.waitFor(() => {
        expect(database.pool.waitingCount).toBe(0)
        expect(database.pool.idleCount).toBe(database.pool.totalCount)
      })
      await database.ping()
    })
  })

  describe('a change with an audit record', () => {
    let seenCounts: number[]

    beforeAll(() => database.onChange(() => void seenCounts.push(seenCounts.length + 1)))

    beforeEach(() => {
      seenCounts = []
    })

    test('is emitted after its transaction commits, not before', async () => {
      await database.transaction(async (inner) => {
        await inner.audit.append(makeAuditRecord(organizationId))
        await inner.audit.append(makeAuditRecord(organizationId))
        expect(seenCounts).toEqual([])
      })
      expect(seenCounts).toEqual([1])
      await stores.audit.append(makeAuditRecord(organizationId))
      expect(seenCounts).toEqual([1, 2])
    })

    test('is not emitted if it was rolled back or if no row was changed', async () => {
      const failing = database.transaction(async (inner) => {
        await inner.audit.append(makeAuditRecord(organizationId))
        throw new Error('failed')
      })
      await expect(failing).rejects.toThrow('failed')
      await database.transaction((inner) => inner.tasks.list(organizationId, {}, firstPage))
      expect(seenCounts).toEqual([])
    })
  })

  describe('column values', () => {
    test.each([
      ['2030-01-02T03:04:05.678Z', '2030-01-02T03:04:05.678Z'],
      ['2030-01-02T03:04:05.001+05:45', '2030-01-01T21:19:05.001Z'],
      ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ])('keep the milliseconds of timestamps and return them in UTC: %s', async (dueAt, expected) => {
      const task = makeTask(organizationId, { dueAt })
      await stores.tasks.insert(task)
      expect((await stores.tasks.find(organizationId, task.id))?.dueAt).toBe(expected)
    })

    test('return long, unusual and empty text unchanged', async () => {
      for (const description of [unusualText, '', ' \t\r\n', 'ä'.repeat(300_000)]) {
        const task = makeTask(organizationId, { description })
        await stores.tasks.insert(task)
        expect((await stores.tasks.find(organizationId, task.id))?.description === description).toBe(true)
      }
    })

    test('keep the order of keys, numbers, and keys that every object has in JSON', async () => {
      const text =
        '{"z":1,"a":{"9":1,"b":[1.5e-7,9007199254740991,-0.1,null,true,""]},"__proto__":1,"toString":2}'
      const record = makeAuditRecord(organizationId, { details: JSON.parse(text) })
      await stores.audit.append(record)
      const wanted = { filter: {}, sequence: 0, afterId: null, limit: 1 }
      const [found] = await stores.audit.readBeyond(organizationId, wanted)
      expect(JSON.stringify(JSON.parse(found?.detailsText ?? ''))).toBe(text)
    })
  })

  describe('idempotency keys', () => {
    const claim = (key: string, fields: Partial<IdempotencyClaim> = {}): IdempotencyClaim => ({
      organizationId,
      key,
      fingerprint: 'print',
      createdAt: now,
      ...fields,
    })
    const longAgo = '2030-01-01T03:04:05.678Z'
    const take = (wanted: IdempotencyClaim, expiredBefore = longAgo) =>
      stores.idempotency.claim(wanted, expiredBefore)

    test('are taken once in each organization and keep their response', async () => {
      const answer = { status: 201, body: { z: 1, a: [unusualText] }, etag: '"1"' }
      expect(await take(claim('one'))).toBe(true)
      expect(await stores.idempotency.find(organizationId, 'one')).toMatchObject({
        fingerprint: 'print',
        answer: null,
      })
      await stores.idempotency.keep(organizationId, 'one', answer, null)
      expect(await take(claim('one', { fingerprint: 'another' }))).toBe(false)
      const kept = await stores.idempotency.find(organizationId, 'one')
      expect(kept).toMatchObject({ fingerprint: 'print' })
      expect(JSON.stringify(kept?.answer)).toBe(JSON.stringify(answer))
      const another = await newOrganization(database)
      expect(await stores.idempotency.find(another, 'one')).toBeNull()
      expect(await take(claim('one', { organizationId: another }))).toBe(true)
      expect(await take(claim('ONE'))).toBe(true)
    })

    test('are free again after they expire or after their transaction fails', async () => {
      expect(await take(claim('old', { createdAt: longAgo }))).toBe(true)
      expect(await take(claim('old'))).toBe(false)
      expect(await take(claim('old', { fingerprint: 'new' }), '2030-01-01T03:04:05.679Z')).toBe(true)
      expect(await stores.idempotency.find(organizationId, 'old')).toMatchObject({
        fingerprint: 'new',
        answer: null,
      })
      const failing = database.transaction(async (inner) => {
        expect(await inner.idempotency.claim(claim('failed'), longAgo)).toBe(true)
        throw new Error('failed')
      })
      await expect(failing).rejects.toThrow('failed')
      expect(await take(claim('failed'))).toBe(true)
    })

    test('let one of several requests run, and the others wait for its response', async () => {
      const answer = { status: 201, body: 'first', etag: null }
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, () =>
          database.transaction(async (inner) => {
            const isFirst = await inner.idempotency.claim(claim('together'), longAgo)
            if (isFirst) await inner.idempotency.keep(organizationId, 'together', answer, null)
            const found = await inner.idempotency.find(organizationId, 'together')
            return { isFirst, answer: found?.answer }
          }),
        ),
      )
      expect(outcomes.filter(({ isFirst }) => isFirst)).toHaveLength(1)
      for (const outcome of outcomes) expect(outcome.answer).toEqual(answer)
    })

    test('are deleted when they are old', async () => {
      const remove = (moment: string) => stores.retention.removeBefore('idempotencyAnswers', moment, 1000)
      await remove('2031-01-01T00:00:00.000Z')
      await take(claim('young'))
      await take(claim('old', { createdAt: longAgo }))
      expect(await remove(now)).toBe(1)
      expect(await stores.idempotency.find(organizationId, 'old')).toBeNull()
      expect(await stores.idempotency.find(organizationId, 'young')).not.toBeNull()
    })
  })

  describe('the installation record', () => {
    test('is stored once, even if several first starts run at the same time', async () => {
      expect(await stores.installation.find()).toBeNull()
      const record = { secretCheck: 'v1.sealed', firstOrganizationId: organizationId, createdAt: now }
      const setUp = () =>
        database.transaction(async (inner) => {
          await inner.installation.lock()
          if ((await inner.installation.find()) !== null) return false
          await inner.installation.insert(record)
          return true
        })
      const outcomes = await Promise.all(Array.from({ length: 6 }, setUp))
      expect(outcomes.filter(Boolean)).toHaveLength(1)
      expect(await stores.installation.find()).toMatchObject(record)
      await expect(stores.installation.insert(record)).rejects.toThrow()
    })
  })
})

test('a server with another date style changes no stored value [DB-1]', async () => {
  const server = await migratedDatabase()
  await withPostgresClient(server.url, async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    for (const setting of ["timezone = 'Africa/Monrovia'", "datestyle = 'German, DMY'"])
      await client.query(`alter database "${rows[0]?.name}" set ${setting}`)
  })
  const pool = openPostgres(server.url, () => undefined)
  const database = makeDatabase(pool, { close: () => pool.end(), signing: testSigning })
  try {
    const organizationId = await newOrganization(database)
    const task = makeTask(organizationId, { dueAt: '1970-02-03T04:05:06.789Z' })
    await database.stores.tasks.insert(task)
    expect(await database.stores.tasks.find(organizationId, task.id)).toEqual(task)
    expect(
      (await database.stores.tasks.list(organizationId, { dueBefore: task.createdAt }, firstPage)).items,
    ).toEqual([task])
  } finally {
    await database.close()
    await server.drop()
  }
})
