import { type RecordedStatement, recordStatements, type StatementRecorder } from '@parley/statement-recorder'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase } from '../../support/start-service.js'

let postgres: PostgresDatabase
let recorder: StatementRecorder
let service: RealtimeTestService

beforeAll(async () => {
  postgres = await migratedDatabase()
  recorder = await recordStatements(postgres.url)
  service = await startRealtimeService({ env: { DATABASE_URL: recorder.url } })
})

afterAll(async () => {
  await service.close()
  await recorder.close()
  await postgres.drop()
})

const atOnce = 20

const many = <Result>(task: () => Promise<Result>) => Promise.all(Array.from({ length: atOnce }, task))

/** Background polls, sent many times a second while something changes. */
const polled = /^select (?:exists \(|distinct |"id" from "approval" |"position" from "webhook_event" )/

/**
 * Returns the statements and round trips per operation. The background sends less than one statement per
 * operation.
 */
function shareOf(taken: readonly RecordedStatement[]) {
  const own = taken.filter(({ text }) => !polled.test(text))
  return {
    statements: Math.floor(own.length / atOnce),
    trips: Math.floor(new Set(own.map(({ trip }) => trip)).size / atOnce),
  }
}

const hasEnded = ({ text }: RecordedStatement) => /^update "realtime_session" set .*"ended_at" =/.test(text)

describe('the database statements of a request', () => {
  test('a list takes one statement, besides the one for the key [PERF-1]', async () => {
    recorder.take()
    const answers = await many(() => service.client.call('GET', '/api/v1/Agent'))
    expect(answers.map(({ status }) => status)).toEqual(Array(atOnce).fill(200))
    const { statements } = shareOf(recorder.take())
    expect(statements).toBeGreaterThanOrEqual(1)
    expect(statements).toBeLessThanOrEqual(2)
  })

  test('a session takes at most eight statements in three round trips to create, and three to open and end [PERF-2] [PERF-3]', async () => {
    recorder.take()
    const tickets = await many(() => service.createTicket())
    const created = shareOf(recorder.take())
    expect(created.statements).toBeLessThanOrEqual(8)
    expect(created.trips).toBeLessThanOrEqual(3)
    const opened: RecordedStatement[] = []
    for (const ticket of tickets) {
      const client = await service.connect(ticket.webSocketPath)
      await service.provider.accept()
      client.socket.close()
    }
    await expect
      .poll(() => opened.push(...recorder.take()) && opened.filter(hasEnded).length, patiently)
      .toBe(atOnce)
    expect(shareOf(opened).statements).toBeLessThanOrEqual(3)
  })
})
