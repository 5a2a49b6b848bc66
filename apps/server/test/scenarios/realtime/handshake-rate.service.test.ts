import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestHandshake } from '../../support/realtime/open-socket.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'

let running: RealtimeTestService
beforeAll(async () => {
  running = await startRealtimeService({ env: { PARLEY_RATE_LIMIT_PER_MINUTE: '8' } })
})
afterAll(() => running.close())

test('handshakes count per address, so a client that guesses tokens is stopped before the database is queried [API-7]', async () => {
  const path = `/api/v1/Agent/${running.agentId}/realtime?conversationId=${running.agentId}&sessionId=guess`
  const answers = []
  for (let guess = 0; guess < 9; guess += 1) answers.push(await requestHandshake(running.url, path))
  expect(answers.slice(0, 8).map((answer) => answer.status)).toEqual(Array(8).fill(400))
  expect(answers[8]).toMatchObject({ status: 429, text: expect.stringContaining('RateLimited') })
  expect(Number(answers[8]?.headers.get('retry-after'))).toBeGreaterThan(0)
})
