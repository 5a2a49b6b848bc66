import { afterAll, beforeAll, expect, test } from 'vitest'
import { hangTools, openHangingSession, roundTrips } from '../../support/realtime/hanging-tools.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { requestsAfterAll } from '../../support/realtime/session-traffic.js'
import { customEventsIn } from '../../support/realtime/spoken-turns.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'

const frames = 400

let running: RealtimeTestService
let tools: ScriptedHttpServer

beforeAll(async () => {
  running = await startRealtimeService()
  tools = await startScriptedHttpServer()
})

afterAll(async () => {
  await running.close()
  await tools.close()
})

test('the relay passes frames in both directions while eight tools hang and an approval waits [TOOL-11]', async () => {
  const session = await openHangingSession(running, tools)
  const end = await hangTools(session, tools)
  expect(await requestsAfterAll(session)).toEqual([])
  expect(await roundTrips(session, frames)).toHaveLength(frames)
  expect(await requestsAfterAll(session)).toEqual([])
  expect(customEventsIn(session.client)).toHaveLength(10)
  await end()
})
