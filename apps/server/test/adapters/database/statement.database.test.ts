import { eq, getTableColumns, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeHandle } from '#server/adapters/database/handle.js'
import { StatementRunner } from '#server/adapters/database/run-statement.js'
import { agent, connection } from '#server/adapters/database/schema.js'
import {
  builder,
  insertStatement,
  placeholder,
  selectStatement,
  sqlStatement,
  writeStatement,
} from '#server/adapters/database/statement.js'
import type { Stores } from '#server/ports/database.js'
import { databaseKinds } from '../../support/start-service.js'
import { makeAgent, makeTask } from '../../support/stores/records.js'
import {
  newOrganization,
  openStoreDatabase,
  type StoreDatabase,
} from '../../support/stores/store-database.js'

const agentWithConnection = selectStatement(
  'test_agent',
  { agent, connection, one: sql<number>`1` },
  (fields) =>
    builder
      .select(fields)
      .from(agent)
      .leftJoin(connection, eq(connection.id, agent.connectionId))
      .where(eq(agent.id, placeholder('id'))),
)

describe.each(databaseKinds)('prepared statements on the %s database', (kind) => {
  let database: StoreDatabase
  beforeAll(async () => {
    database = await openStoreDatabase(kind)
  })
  afterAll(() => database.close())

  const handle = () => makeHandle(new StatementRunner(database.pool))

  test('decode columns like drizzle, nest tables, and return null for a left join without a row', async () => {
    const record = makeAgent(await newOrganization(database))
    const insertAgent = insertStatement('test_agent_insert', agent)
    expect((await insertAgent(handle(), record)).rowCount).toBe(1)
    const [stored] = await handle().select(getTableColumns(agent)).from(agent).where(eq(agent.id, record.id))
    expect(stored).toEqual(record)
    for (const _ of ['parsed', 'known'])
      expect(await agentWithConnection(handle(), { id: record.id })).toEqual([
        { agent: record, connection: null, one: 1 },
      ])
  })

  test('return the rows of SQL by name, and reject a missing value and a database error', async () => {
    const divide = sqlStatement<{ n: number; share: number; isOne: boolean }>(
      'test_shares',
      () => sql`select n, 12 / (n - ${placeholder('forbidden')}::int) as share, n = 1 as "isOne"
        from generate_series(1, ${placeholder('count')}::int) n`,
    )
    await expect(divide(handle(), { count: 2, forbidden: 2 })).rejects.toMatchObject({
      cause: { code: '22012' },
    })
    await expect(divide(handle(), { count: 2 })).rejects.toThrow('requires a value for forbidden')
    expect(await divide(handle(), { count: 2, forbidden: 0 })).toEqual([
      { n: 1, share: 12, isOne: true },
      { n: 2, share: 6, isOne: false },
    ])
  })

  test('return the number of changed rows', async () => {
    const rename = writeStatement('test_rename', () =>
      builder
        .update(agent)
        .set({ name: sql`${placeholder('name')}` })
        .where(eq(agent.id, placeholder('id'))),
    )
    const record = makeAgent(await newOrganization(database))
    await database.stores.agents.insert(record)
    expect((await rename(handle(), { id: record.id, name: 'New' })).rowCount).toBe(1)
    expect((await database.stores.agents.find(record.organizationId, record.id))?.name).toBe('New')
  })

  test('leave a connection open after a statement error', async () => {
    const failing = sqlStatement('test_failing', () => sql`select 1 / 0`)
    await database.ping()
    const before = await database.pool.connect()
    before.release()
    await expect(failing(handle(), {})).rejects.toThrow()
    const after = await database.pool.connect()
    after.release()
    expect(after).toBe(before)
  })

  test("reject all calls of a transaction's stores after the transaction has ended [DB-8]", async () => {
    const organizationId = await newOrganization(database)
    const left: Stores[] = []
    const task = makeTask(organizationId)
    await database.transaction(async (stores) => {
      left.push(stores)
      await stores.tasks.insert(task)
    })
    await expect(left[0]?.tasks.find(organizationId, task.id)).rejects.toThrow()
    expect(await database.stores.tasks.find(organizationId, task.id)).toEqual(task)
  })
})
