import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdAnswer } from '../../support/realtime/held-answer.js'
import {
  type OpenSession,
  type RealtimeTestService,
  startRealtimeService,
} from '../../support/realtime/realtime-service.js'
import { requestsAfterAll } from '../../support/realtime/session-traffic.js'
import { customEventsIn, patiently } from '../../support/realtime/spoken-turns.js'
import { openToolSession, playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'

const frames = 400
/** Twenty milliseconds of audio, as clients send it. */
const audio = Buffer.alloc(960, 7).toString('base64')

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

/** How long the slowest of a hundred frames of audio takes to the provider and back, in milliseconds. */
async function p99RoundTrip({ client, provider }: OpenSession, count: number): Promise<number> {
  const spoken = JSON.stringify({ type: 'input_audio_buffer.append', audio })
  const heard = JSON.stringify({ type: 'response.output_audio.delta', response_id: 'r', delta: audio })
  const echo = () => provider.socket.send(heard)
  const times: number[] = []
  provider.socket.on('message', echo)
  for (let frame = 0; frame < count; frame += 1) {
    const back = new Promise((resolve) => void client.socket.once('message', resolve))
    const startedAt = performance.now()
    client.socket.send(spoken)
    await back
    times.push(performance.now() - startedAt)
  }
  provider.socket.off('message', echo)
  return times.toSorted((one, other) => one - other)[Math.ceil(count * 0.99) - 1] ?? Number.NaN
}

/** The best of three: what else this machine does only adds to the time. */
async function quietP99(session: OpenSession): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < 3; round += 1) rounds.push(await p99RoundTrip(session, frames))
  return Math.min(...rounds)
}

test('[TOOL-11] eight tools that hang and an approval that waits do not slow the relay down', async () => {
  const jobs = Array.from({ length: 8 }, (_, index) => `job${index}`)
  const job = {
    kind: 'http',
    name: 'job',
    description: 'Does a job.',
    parameters: { type: 'object', properties: { id: { type: 'string' } } },
    request: { method: 'GET', url: `${tools.url}/job/{id}` },
    timeoutSeconds: 600,
  }
  const session = await openToolSession(running, {
    tools: [job, { ...job, name: 'guarded', approvalRequired: true }],
  })
  await p99RoundTrip(session, frames)
  const without = await quietP99(session)

  const held = jobs.map((id) => holdAnswer(tools, `GET /job/${id}`))
  playCalls(session.provider, 'r1', [
    ...jobs.map((id) => ({ callId: id, name: 'job', arguments: JSON.stringify({ id }) })),
    { callId: 'guarded', name: 'guarded', arguments: '{"id":"guarded"}' },
  ])
  await Promise.all(held.map(({ called }) => called))
  // Nine calls begin, and one of them waits: after that nothing of the service's own goes to the client.
  await expect.poll(() => customEventsIn(session.client).length, patiently).toBe(10)
  expect(await requestsAfterAll(session)).toEqual([])

  // What the tools add would be there each time; what other programs do passes.
  const besideThem = () => p99RoundTrip(session, frames)
  await expect.poll(besideThem, patiently).toBeLessThanOrEqual(3 * without + 5)
  expect(await requestsAfterAll(session)).toEqual([])
  expect(customEventsIn(session.client)).toHaveLength(10)

  for (const answer of held) await answer.give('done')
  for (const _ of held) await takeOutput(session.provider)
  tools.verify()
  session.client.socket.close()
})
