import type { UsageGroupName } from '@parley/contract'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { makeDatabase } from '#server/adapters/database/database.js'
import { openPostgres } from '#server/adapters/database/open-postgres.js'
import { requireBudget } from '#server/domain/usage/budgets/reserve-budget.js'
import { countUse } from '#server/domain/usage/count-use.js'
import { type ModelUse, noTokens } from '#server/domain/usage/model-use.js'
import type { Database } from '#server/ports/database.js'
import type { BudgetRecord } from '#server/ports/usage-stores.js'
import { testSigning } from '../../support/audit/chain-secrets.js'
import { removeOverdueRows } from '../../support/overdue-rows.js'
import { databaseKinds, migratedDatabase } from '../../support/start-service.js'
import { newOrganization } from '../../support/stores/store-database.js'
import { useStoreDatabase } from '../../support/stores/use-store-database.js'
import { makeTestClock } from '../../support/test-clock.js'

const clock = makeTestClock(new Date('2026-11-16T12:00:00.000Z'))
const used = { connectionId: uuid(), kind: 'openai', model: 'gpt-5-mini' } as const

const useOf = (organizationId: string, use: Partial<ModelUse> = {}): ModelUse => ({
  account: {
    organizationId,
    sourceId: uuid(),
    apiKeyId: null,
    channel: 'text',
    rehearsal: false,
    endUserId: null,
  },
  agentId: uuid(),
  used,
  item: `step:${uuid()}`,
  at: clock.now().toISOString(),
  amount: { tokens: { ...noTokens, textInput: 7, textOutput: 3 }, audioMilliseconds: 0 },
  milliseconds: 10,
  toolCalls: 1,
  ...use,
})

const count = (database: Database, use: ModelUse) =>
  database.transaction((stores) => countUse({ clock }, stores, use))

/** Runs this number of jobs at a time. */
async function atATime(places: number, work: readonly (() => Promise<unknown>)[]): Promise<void> {
  const waiting = [...work]
  const place = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next()
  }
  await Promise.all(Array.from({ length: places }, place))
}

const sums = sql.raw(
  ['responses', 'unknown_responses', 'priced_responses', 'tool_calls', 'milliseconds', 'audio_milliseconds']
    .concat([
      'text_input',
      'text_output',
      'cached_text_input',
      'unpriced_tokens',
      'cost',
      'turns',
      'sessions',
    ])
    .map((name) => `sum(${name}) as ${name}`)
    .join(', '),
)
const groups = sql.raw('organization_id, day, agent_id, api_key_id, connection_id, model, channel')

describe.each(databaseKinds)('the usage ledger on the %s database [USE-3]', (kind) => {
  const kept = useStoreDatabase(kind)

  test('has sums that equal its records after duplicates, concurrent writes and rollbacks', async () => {
    const { database, organizationId } = kept
    const [agents, keys] = [Array.from({ length: 3 }, () => uuid()), [null, uuid()]]
    const uses = Array.from({ length: kind === 'embedded' ? 30 : 200 }, (_, index) =>
      useOf(organizationId, {
        account: {
          ...{ organizationId, sourceId: uuid(), channel: index % 2 === 0 ? 'text' : 'realtime' },
          apiKeyId: keys[index % 2] ?? null,
          rehearsal: index % 4 === 0,
          endUserId: null,
        },
        agentId: agents[index % 3] ?? '',
        at: new Date(clock.now().getTime() - (index % 40) * 24 * 60 * 60 * 1000).toISOString(),
        // Every fifth use has no usage figures, and every seventh is of a model without a price.
        ...(index % 5 === 0 && { amount: null }),
        ...(index % 7 === 0 && { used: { ...used, model: 'nobody-knows' } }),
      }),
    )
    const killed = async (use: ModelUse) => {
      const work = database.transaction(async (stores) => {
        await countUse({ clock }, stores, use)
        throw new Error('killed')
      })
      await expect(work).rejects.toThrow('killed')
    }
    const work = uses.flatMap((use, index) => [
      ...(index % 9 === 0 ? [() => killed(use)] : []),
      () => count(database, use),
      ...(index % 4 === 0 ? [() => count(database, use)] : []),
    ])
    await atATime(8, work)

    const handle = drizzle(database.pool)
    const own = sql`organization_id = ${organizationId}`
    const rows = await handle.execute(
      sql`select ${groups}, ${sums} from usage_record where ${own} group by ${groups} order by ${groups}`,
    )
    const rollups = await handle.execute(
      sql`select ${groups}, ${sums} from usage_rollup_part where ${own} group by ${groups} order by ${groups}`,
    )
    expect(rollups.rows).toEqual(rows.rows)
    const counted =
      await handle.execute(sql`select subject_id, period, starts_on, sum(tokens)::bigint as tokens, sum(cost) as cost
      from usage_counter_part where ${own} and subject_id = organization_id and period = 'month'
      group by subject_id, period, starts_on order by starts_on`)
    const expected = await handle.execute(sql`select ${organizationId}::uuid as subject_id, 'month' as period,
        date_trunc('month', day)::date as starts_on, sum(text_input + text_output)::bigint as tokens, sum(cost) as cost
      from usage_record where ${own} group by 3 order by 3`)
    expect(counted.rows).toEqual(expected.rows)
    const total = await kept.stores.usageLedger.sum({
      organizationId,
      ...{ days: { from: '2000-01-01', to: '2100-01-01' }, parts: [], groupBy: [], filter: {}, limit: 10 },
    })
    expect(total).toMatchObject([{ responses: uses.length, toolCalls: uses.length }])
  })

  test('deletes records after their retention time and keeps their daily sums [USE-8]', async () => {
    const { database, organizationId, stores } = kept
    for (const days of [10, 89, 91])
      await count(
        database,
        useOf(organizationId, {
          at: new Date(clock.now().getTime() - days * 24 * 60 * 60 * 1000).toISOString(),
        }),
      )
    const removed = await removeOverdueRows(database, clock)
    expect(removed.usageRecords).toBeGreaterThanOrEqual(1)
    expect(removed.usageCounterParts).toBeGreaterThan(removed.usageRecords)
    expect(removed.usageParts).toBeGreaterThanOrEqual(3)
    const all = { groupBy: [], filter: {}, limit: 1 } as const
    const from = { organizationId, ...all }
    const nothing = { from: '2000-01-01', to: '2000-01-01' }
    const ever = { from: '2000-01-01', to: '2100-01-01' }
    const records = await stores.usageLedger.sum({ ...from, days: nothing, parts: [ever] })
    const days = await stores.usageLedger.sum({ ...from, days: ever, parts: [] })
    expect([records[0]?.responses, days[0]?.responses]).toEqual([2, 3])
  })

  test('sums whole days and parts of days by any grouping within one organization', async () => {
    const { database, organizationId, stores } = kept
    const other = await newOrganization(database)
    const at = (hour: string) => `2026-11-${hour}:00:00.000Z`
    for (const hour of ['10T03', '10T15', '11T00', '12T23', '13T01', '13T09'])
      await count(database, useOf(organizationId, { at: at(hour) }))
    await count(database, useOf(other, { at: at('11T00') }))
    const sumBy = (groupBy: readonly UsageGroupName[]) =>
      stores.usageLedger.sum({
        organizationId,
        days: { from: '2026-11-11', to: '2026-11-13' },
        parts: [
          { from: at('10T12'), to: at('11T00') },
          { from: at('13T00'), to: at('13T05') },
        ],
        ...{ groupBy, filter: { channel: 'text', model: 'gpt-5-mini' }, limit: 100 },
      })
    expect(await sumBy([])).toMatchObject([{ responses: 4, textInput: 28, cost: '0.000031000000' }])
    const days = await sumBy(['day', 'key'])
    expect(days.map(({ day, apiKeyId, responses }) => [day, apiKeyId, responses])).toEqual([
      ['2026-11-10', null, 1],
      ['2026-11-11', null, 1],
      ['2026-11-12', null, 1],
      ['2026-11-13', null, 1],
    ])
    expect(await sumBy(['agent', 'model', 'connection', 'channel', 'rehearsal'])).toHaveLength(4)
  })
})

describe('ten instances at the limit of a budget [BUD-5]', () => {
  test('exceed the limit only by the work in progress and report the crossing once', async () => {
    const server = await migratedDatabase()
    const pools = Array.from({ length: 10 }, () => openPostgres(server.url, () => undefined))
    const instances = pools.map((pool) =>
      makeDatabase(pool, { close: () => pool.end(), signing: testSigning }),
    )
    const [first] = instances
    if (first === undefined) throw new Error('There is none.')
    const organizationId = await newOrganization(first)
    const [tokens, limit] = [10, 405]
    const moment = clock.now().toISOString()
    const budget: BudgetRecord = {
      ...{ id: uuid(), organizationId, version: 1, createdAt: moment, updatedAt: moment },
      ...{ name: 'Edge', agentId: null, apiKeyId: null, period: 'day', limit: { tokens: limit } },
      ...{ warnAtPercent: 80, onExceeded: 'refuse', externalId: null, managedBy: null },
    }
    await first.stores.budgets.insert(budget)
    let admitted = 0
    const work = async (database: Database) => {
      const agentId = uuid()
      for (;;) {
        const isAdmitted = await database
          .transaction((stores) =>
            requireBudget({ clock }, stores, { organizationId, agentId, apiKeyId: null }),
          )
          .then(
            () => true,
            () => false,
          )
        if (!isAdmitted) return
        admitted += 1
        await count(database, useOf(organizationId, { agentId }))
      }
    }
    await Promise.all(instances.map(work))
    const [spent] = await first.stores.usageLedger.counters(organizationId, [organizationId], {
      ...{ day: '2026-11-16', month: '2026-01-01' },
    })
    expect(spent?.tokens).toBe(admitted * tokens)
    // One use above the limit, and the uses that the other nine had begun.
    expect(admitted).toBeGreaterThanOrEqual(Math.ceil(limit / tokens))
    expect(admitted).toBeLessThanOrEqual(Math.ceil(limit / tokens) + 9)
    const page = { offset: 0, limit: 100 }
    const { items } = await first.stores.audit.list(organizationId, { resourceType: 'Budget' }, page)
    expect(items.map(({ action }) => action).sort()).toEqual(['budget.exceeded', 'budget.warning'])
    await Promise.all(instances.map((database) => database.close()))
    await server.drop()
  })
})
