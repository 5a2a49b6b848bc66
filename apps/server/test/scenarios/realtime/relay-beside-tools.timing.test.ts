import { afterAll, beforeAll, expect, test } from 'vitest'
import { hangTools, openHangingSession, roundTrips } from '../../support/realtime/hanging-tools.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
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

const p99 = (times: readonly number[]) =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN

test('the relay does not slow down while eight tools hang and an approval waits [TOOL-11]', async () => {
  const session = await openHangingSession(running, tools)
  await roundTrips(session, frames)
  const without = p99(await roundTrips(session, frames))
  const end = await hangTools(session, tools)
  expect(p99(await roundTrips(session, frames))).toBeLessThanOrEqual(3 * without + 5)
  await end()
})
