import { expect } from 'vitest'
import type { ScriptedHttpServer } from '../scripted-http-server.js'
import { holdAnswer } from './held-answer.js'
import type { OpenSession, RealtimeTestService } from './realtime-service.js'
import { customEventsIn, patiently } from './spoken-turns.js'
import { openToolSession, playCalls, type ToolSession, takeOutput } from './tool-calls.js'

/** Twenty milliseconds of audio, as clients send it. */
const audio = Buffer.alloc(960, 7).toString('base64')
const jobs = Array.from({ length: 8 }, (_, index) => `job${index}`)

/** A session whose agent has a tool that hangs and one that waits for approval. */
export function openHangingSession(
  running: RealtimeTestService,
  tools: ScriptedHttpServer,
): Promise<ToolSession> {
  const job = {
    kind: 'http',
    name: 'job',
    description: 'Does a job.',
    parameters: { type: 'object', properties: { id: { type: 'string' } } },
    request: { method: 'GET', url: `${tools.url}/job/{id}` },
    timeoutSeconds: 600,
  }
  return openToolSession(running, { tools: [job, { ...job, name: 'guarded', approvalRequired: true }] })
}

/** Starts eight hanging tools and a waiting approval. Returns a function that ends them. */
export async function hangTools(
  session: ToolSession,
  tools: ScriptedHttpServer,
): Promise<() => Promise<void>> {
  const held = jobs.map((id) => holdAnswer(tools, `GET /job/${id}`))
  playCalls(session.provider, 'r1', [
    ...jobs.map((id) => ({ callId: id, name: 'job', arguments: JSON.stringify({ id }) })),
    { callId: 'guarded', name: 'guarded', arguments: '{"id":"guarded"}' },
  ])
  await Promise.all(held.map(({ called }) => called))
  // Nine calls begin, and one of them waits. After that, the service sends no events of its own to the
  // client.
  await expect.poll(() => customEventsIn(session.client).length, patiently).toBe(10)
  return async () => {
    for (const answer of held) await answer.give('done')
    for (const _ of held) await takeOutput(session.provider)
    tools.verify()
    session.client.socket.close()
  }
}

/**
 * Sends audio frames to the provider, each after the previous one has come back. Returns the milliseconds of
 * each.
 */
export async function roundTrips({ client, provider }: OpenSession, count: number): Promise<number[]> {
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
  return times
}
