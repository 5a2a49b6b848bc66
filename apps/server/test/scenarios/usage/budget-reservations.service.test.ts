import type { Budget } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../support/questions/ask.js'
import { joinInstance } from '../../support/questions/instances.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService } from '../../support/start-service.js'
import { makeGate } from '../../support/stores/store-database.js'

const usage = { usage: { inputTokens: 7, outputTokens: 3, cachedInputTokens: 0 } }

let postgres: PostgresDatabase
let other: RunningService

beforeAll(async () => {
  postgres = await migratedDatabase()
})

afterAll(() => postgres.drop())

const service = useQuestionService(() => ({ env: { DATABASE_URL: postgres.url } }))

beforeAll(async () => {
  other = await joinInstance(service.running, postgres.url)
})

afterAll(() => other.close())

async function makeBudget(agentId: string, tokens: number): Promise<Budget> {
  const body = { name: 'Three questions', agentId, period: 'month', limit: { tokens } }
  return (await service.running.client.call<Budget>('POST', '/api/v1/Budget', { body })).body
}

const reservations = async () => {
  const { rows } = await withPostgres('select count(*)::integer as count from usage_reservation')
  const { rows: sums } = await withPostgres(
    `select coalesce(sum(reservations), 0)::integer as count from reserved_amount
      where subject_id = organization_id`,
  )
  return [rows[0]?.count, sums[0]?.count]
}

const withPostgres = (text: string) =>
  withPostgresClient(postgres.url, (client) => client.query<{ count: number }>(text))

describe('a budget for three questions', () => {
  test('admits three of 200 concurrent questions on two instances, and has room again after they end [BUD-6]', async () => {
    const agentId = await service.makeAgent()
    service.model.answer({ text: 'Known.', ...usage })
    await ask(service.running, agentId, { question: 'How much is one?' })
    // One question has been asked, so the estimate is known. Three more fit.
    const budget = await makeBudget(agentId, 40)
    const gate = makeGate()
    for (let index = 0; index < 3; index += 1) service.model.answer({ text: [gate.opened, 'Yes.'], ...usage })
    const questions = Array.from({ length: 200 }, (_, index) =>
      ask(index % 2 === 0 ? service.running : other, agentId, { question: `${index}` }),
    )
    // Admitted questions wait for the gate and are answered only then.
    let settled = 0
    for (const question of questions)
      void question.then(() => {
        settled += 1
      })
    await expect.poll(() => settled, { timeout: 60_000 }).toBeGreaterThanOrEqual(197)
    expect(await reservations()).toEqual([3, 3])
    gate.open()
    const refused = (await Promise.all(questions)).filter(({ status }) => status === 403)
    expect(refused).toHaveLength(197)
    for (const { body } of refused)
      expect(body).toMatchObject({ errorCode: 'BudgetExceeded', budget: { id: budget.id } })
    expect(refused[0]?.text).toContain('has reserved the rest of the budget')
    await expect.poll(reservations).toEqual([0, 0])
    const { body } = await service.running.client.call<Budget>('GET', `/api/v1/Budget/${budget.id}`)
    expect(body).toMatchObject({ state: 'exceeded', spent: { tokens: 40 } })
  })

  test('admits one question at a time, however small it is, until a response has been counted [BUD-6]', async () => {
    const agentId = await service.makeAgent()
    await makeBudget(agentId, 5)
    service.model.answer({ text: 'Yes.', ...usage })
    expect((await ask(service.running, agentId, { question: '1' })).body.status).toBe('completed')
    expect((await ask(service.running, agentId, { question: '2' })).status).toBe(403)
  })

  test('regains the reservation of a turn whose instance is gone [BUD-6]', async () => {
    const agentId = await service.makeAgent()
    await makeBudget(agentId, 1000)
    service.model.answer({ text: 'Once', end: 'hanging' })
    const lost = ask(other, agentId, { question: 'A story?' }).catch(() => undefined)
    await expect.poll(reservations).toEqual([1, 1])
    // Imitates the instance that looks for lost turns after a lease has expired.
    await withPostgres(`update turn set ended_at = now(), state = 'failed', failure = 'interrupted'
      where ended_at is null`)
    await expect.poll(reservations).toEqual([0, 0])
    void lost
  })
})
