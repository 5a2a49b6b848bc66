import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { countUse } from '#server/domain/usage/count-use.js'
import { type ModelUse, noTokens } from '#server/domain/usage/model-use.js'
import type { Database } from '#server/ports/database.js'
import { removeOverdueRows } from '../../support/overdue-rows.js'
import { databaseKinds } from '../../support/start-service.js'
import { useStoreDatabase } from '../../support/stores/use-store-database.js'
import { makeTestClock } from '../../support/test-clock.js'

const clock = makeTestClock(new Date('2026-11-16T12:00:00.000Z'))
const agentId = uuid()
const connectionId = uuid()
const nobody = '00000000-0000-0000-0000-000000000000'
const day = '2026-11-16'
const ever = { from: '2000-01-01', to: '2100-01-01' }

const useOf = (organizationId: string, at = clock.now()): ModelUse => ({
  account: {
    organizationId,
    sourceId: uuid(),
    apiKeyId: null,
    channel: 'text',
    rehearsal: false,
    endUserId: null,
  },
  agentId,
  used: { connectionId, kind: 'openai', model: 'gpt-5-mini' },
  item: 'step:1',
  at: at.toISOString(),
  amount: { tokens: { ...noTokens, textInput: 7, textOutput: 3 }, audioMilliseconds: 0 },
  milliseconds: 10,
  toolCalls: 0,
})

/**
 * Does the work inside a transaction that has counted a use, so that the transaction holds its locks during
 * the work.
 */
const whileCounting = (database: Database, organizationId: string, work: () => Promise<unknown>) =>
  database.transaction(async (stores) => {
    await countUse({ clock }, stores, useOf(organizationId))
    await work()
  })

const kept = useStoreDatabase('postgres')

/** Holds all but this number of the pool's connections during the work. They write to different shards. */
async function leaveConnectionsOf(shards: number, work: () => Promise<void>): Promise<void> {
  const { pool } = kept.database
  const free = new Map<number, pg.PoolClient>()
  const held: pg.PoolClient[] = []
  while (held.length + free.size < pool.options.max) {
    const client = await pool.connect()
    const { rows } = await client.query<{ shard: number }>('select pg_backend_pid() % 16 as shard')
    const shard = rows[0]?.shard ?? 0
    if (free.has(shard) || free.size === shards) held.push(client)
    else free.set(shard, client)
  }
  for (const client of free.values()) client.release()
  await work().finally(() => {
    for (const client of held) client.release()
  })
}

test('counts uses of one organization in transactions that do not wait for each other [USE-10]', async () => {
  const { database, organizationId } = kept
  await leaveConnectionsOf(3, async () => {
    // Each transaction waits for the next one to commit. With one shared row, the first would wait forever.
    const inside = (depth: number): Promise<unknown> =>
      whileCounting(database, organizationId, async () => {
        if (depth > 1) await inside(depth - 1)
      })
    await inside(3)
  })
  const { rows } = await drizzle(database.pool).execute(
    sql`select distinct shard from usage_counter_part where organization_id = ${organizationId}`,
  )
  expect(rows).toHaveLength(3)
})

describe.each(databaseKinds)('usage sums on the %s database', (kind) => {
  const kept = useStoreDatabase(kind)
  const total = () =>
    kept.stores.usageLedger.sum({
      ...{ organizationId: kept.organizationId, days: ever, parts: [] },
      ...{ groupBy: ['agent'], filter: {}, limit: 10 },
    })
  const counted = async () => {
    const { usageLedger } = kept.stores
    const counters = await usageLedger.counters(kept.organizationId, [agentId], { day, month: '2026-11-01' })
    return Object.fromEntries(counters.map(({ period, tokens }) => [period, tokens]))
  }

  test('include what the previous version writes into its own tables [USE-10]', async () => {
    const { database, organizationId } = kept
    const own = sql`${organizationId}, ${day}, ${agentId}, ${nobody}, ${connectionId}, 'gpt-5-mini', 'text'`
    const handle = drizzle(database.pool)
    // The statements of the previous version, with its conflict targets.
    for (const _ of [1, 2]) {
      await handle.execute(sql`insert into usage_counter
        (organization_id, subject_id, period, starts_on, tokens, unpriced_tokens, cost)
        values (${organizationId}, ${agentId}, 'day', ${day}, 10, 0, 0.5)
        on conflict (organization_id, subject_id, period, starts_on)
          do update set tokens = usage_counter.tokens + excluded.tokens, cost = usage_counter.cost + excluded.cost`)
      await handle.execute(sql`insert into usage_rollup values (${own}, 0, 1, 1, 0, 0, 0, 1, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5)
        on conflict (organization_id, day, agent_id, api_key_id, connection_id, model, channel)
          do update set responses = usage_rollup.responses + excluded.responses`)
    }
    await database.transaction((stores) => countUse({ clock }, stores, useOf(organizationId)))
    expect(await counted()).toEqual({ day: 30, month: 10 })
    const [sums] = await total()
    expect(sums?.responses).toBe(3)
  })

  test('stay the same after the parts of old days are merged [USE-10]', async () => {
    const { database, organizationId } = kept
    const before = (await total())[0]?.responses ?? 0
    const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 24 * 60 * 60 * 1000)
    const old = [0, 1, 5, 5, 5, 6].map((days) => useOf(organizationId, daysAgo(days)))
    await Promise.all(old.map((use) => database.transaction((stores) => countUse({ clock }, stores, use))))
    const sums = await total()
    expect(sums[0]?.responses).toBe(before + old.length)
    const { usageParts } = await removeOverdueRows(database, clock)
    expect(usageParts).toBeGreaterThanOrEqual(2)
    expect(await total()).toEqual(sums)
    const { rows } = await drizzle(database.pool).execute(
      sql`select day from usage_rollup_part where organization_id = ${organizationId} and day < ${'2026-11-14'}`,
    )
    expect(rows).toEqual([])
    // A late use of such a day is added once.
    await database.transaction((stores) => countUse({ clock }, stores, useOf(organizationId, daysAgo(5))))
    await removeOverdueRows(database, clock)
    expect((await total())[0]?.responses).toBe(before + old.length + 1)
  })
})
