import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { countRunningSessions } from '#server/adapters/database/organization-usage-store.js'
import { removeOverdueRows } from '../../support/overdue-rows.js'
import { databaseKinds } from '../../support/start-service.js'
import { makeAgent, makeConversation, makeSession } from '../../support/stores/records.js'
import { useStoreDatabase } from '../../support/stores/use-store-database.js'
import { makeTestClock } from '../../support/test-clock.js'

const at = '2030-01-02T03:04:30.000Z'

interface Plan {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

/** Sums the rows that a plan has read from tables. */
function rowsRead(plan: Plan): number {
  const own =
    plan['Relation Name'] === undefined ? 0 : plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
  return (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), own * plan['Actual Loops'])
}

describe.each(databaseKinds)('the count of running sessions on the %s database', (kind) => {
  const kept = useStoreDatabase(kind)
  async function newConversation() {
    const agent = makeAgent(kept.organizationId)
    await kept.stores.agents.insert(agent)
    const conversation = makeConversation(kept.organizationId, agent.id)
    await kept.stores.conversations.insert(conversation)
    return conversation
  }

  const count = async () =>
    (await kept.stores.organizationUsage.amounts(kept.organizationId, ['sessions'])).get('sessions')

  const countRows = async () => {
    const { rows } = await kept.database.pool.query<{ count: number }>(
      `select count(*)::integer as count from realtime_session where organization_id = $1
        and state = 'consumed' and ended_at is null`,
      [kept.organizationId],
    )
    return rows[0]?.count
  }

  test('equals the number of rows after any order of starts, ends, losses, removals and rollbacks [LIM-7]', async () => {
    const { database } = kept
    const conversation = await newConversation()
    const [living, dead] = [uuid(), uuid()]
    for (const instanceId of [living, dead]) await kept.stores.instanceLeases.renew(instanceId, 15)
    const begin = async (instanceId: string) => {
      const session = makeSession(conversation)
      await kept.stores.realtimeSessions.insert(session)
      const { tokenHash } = session
      await kept.stores.realtimeSessions.consume({ tokenHash, now: at, instanceId, maxRunning: 1000 })
      return session.id
    }
    const ids = await Promise.all(Array.from({ length: 24 }, (_, index) => begin(index % 3 ? living : dead)))
    expect([await count(), await countRows()]).toEqual([24, 24])

    // Several callers end it at once, twice, and in a transaction that does not commit.
    await Promise.all(
      ids
        .slice(0, 6)
        .flatMap((id) => [1, 2].map(() => kept.stores.realtimeSessions.end(id, 'terminated', at))),
    )
    const undone = database.transaction(async (within) => {
      await within.realtimeSessions.end(ids[7] ?? '', 'terminated', at)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect([await count(), await countRows()]).toEqual([18, 18])

    // A session that is removed while it runs, and one that ended and runs again, as after a manual repair.
    await database.pool.query('delete from realtime_session where id = $1', [ids[8]])
    await database.pool.query('update realtime_session set ended_at = null where id = $1', [ids[0]])
    expect([await count(), await countRows()]).toEqual([18, 18])

    // The instance has stopped: its sessions no longer count, and closing them changes nothing.
    const ofDead = await database.pool.query(
      `select id from realtime_session where instance_id = $1 and ended_at is null`,
      [dead],
    )
    await kept.stores.instanceLeases.release(dead)
    expect(await count()).toBe(18 - ofDead.rows.length)
    await database.pool.query(
      `update realtime_session set started_at = '2020-01-01' where instance_id = $1`,
      [dead],
    )
    await database.transaction((within) => within.instanceLeases.closeOrphaned(dead, [], 0))
    expect([await count(), await countRows()]).toEqual([18 - ofDead.rows.length, 18 - ofDead.rows.length])

    // The count rows of that instance are zero and are removed.
    const rowsOf = async (instanceId: string) =>
      (
        await database.pool.query('select sessions from running_session_count where instance_id = $1', [
          instanceId,
        ])
      ).rows
    expect((await rowsOf(dead)).every(({ sessions }) => Number(sessions) === 0)).toBe(true)
    await removeOverdueRows(database, makeTestClock(new Date(at)))
    expect(await rowsOf(dead)).toEqual([])
    expect(await count()).toBe(await countRows())
  })

  test('reads as many rows with 400 sessions as with 40 [LIM-7]', async () => {
    const conversation = await newConversation()
    const instanceId = uuid()
    await kept.stores.instanceLeases.renew(instanceId, 15)
    const { rows: columns } = await kept.database.pool.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_name = 'realtime_session' and column_name not in ('id', 'token_hash')`,
    )
    const session = makeSession(conversation)
    await kept.stores.realtimeSessions.insert(session)
    await kept.stores.realtimeSessions.consume({
      ...{ tokenHash: session.tokenHash, now: at, instanceId, maxRunning: 1000 },
    })
    const others = columns.map(({ name }) => `"${name}"`).join(', ')
    const copy = (times: number) =>
      kept.database.pool.query(
        `insert into realtime_session (id, token_hash, ${others})
         select gen_random_uuid(), gen_random_uuid()::text, ${others}
         from realtime_session, generate_series(1, $2::integer) where realtime_session.id = $1`,
        [session.id, times],
      )
    const reads = async () => {
      await kept.database.pool.query('analyze running_session_count')
      const counted = countRunningSessions(sql`${kept.organizationId}::uuid`)
      const { rows } = await drizzle(kept.database.pool).execute<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        sql`explain (analyze, format json) select ${counted}`,
      )
      const [found] = rows[0]?.['QUERY PLAN'] ?? []
      return found === undefined ? null : rowsRead(found.Plan)
    }
    await copy(39)
    const few = await reads()
    await copy(360)
    expect(await count()).toBe(400)
    expect(await reads()).toBe(few)
  })
})
