import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnsweringModel, startAnsweringModel } from '../../support/questions/answering-model.js'
import { askStreaming } from '../../support/questions/ask.js'
import { hold } from '../../support/questions/received-events.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { type RunningService, startService } from '../../support/start-service.js'
import { makeTestTimers } from '../../support/test-timers.js'

const timers = makeTestTimers()
const silence = hold()
// The longest possible answer, with three bytes per character. The sockets cannot buffer all of it.
const longWord = '\u3042'.repeat(8000)
const longWords = Array.from({ length: 120 }, (_, index) => `${index}${longWord}`)

const sockets: Socket[] = []
let service: RunningService
let model: AnsweringModel
let agentId: string

beforeAll(async () => {
  model = await startAnsweringModel((question) =>
    question === 'Much?' ? longWords : [silence.released, 'Yes.'],
  )
  service = await startService({ timers, env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
  service.service.app.server.on('connection', (socket: Socket) => void sockets.push(socket))
  agentId = await makeTextAgent(service, model, { name: 'Concierge' })
})

afterAll(async () => {
  await service.close()
  await model.close()
})

/** Returns the raw stream, which the caller reads at its own pace. */
async function rawStream(question: string): Promise<IncomingMessage> {
  const { url, apiKey, organizationId } = service
  const headers = { 'x-api-key': apiKey, 'x-org-id': organizationId, accept: 'text/event-stream' }
  return new Promise((resolve, reject) =>
    httpRequest(`${url}/api/v1/Agent/${agentId}/question`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
    })
      .on('response', resolve)
      .on('error', reject)
      .end(JSON.stringify({ question })),
  )
}

test('a silent stream sends a heartbeat every 15 seconds [ASK-2]', async () => {
  const stream = await rawStream('Are you there?')
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const beats = () => text.split(': still here\n\n').length - 1
  await expect.poll(() => text, patiently).toContain('message.created')
  for (let beat = 1; beat <= 3; beat += 1) {
    timers.advance(14_999)
    expect(beats()).toBe(beat - 1)
    timers.advance(1)
    await expect.poll(beats, patiently).toBe(beat)
    // The next heartbeat is scheduled.
    await expect.poll(() => timers.waiting, patiently).toBeGreaterThan(1)
  }
  silence.release()
  await expect.poll(() => text, patiently).toContain('response.completed')
  expect(beats()).toBe(3)
})

describe('a slow reader', () => {
  test('is sent only what fits into the buffer, and loses nothing [ASK-3]', async () => {
    const slow = await rawStream('Much?')
    slow.pause()
    const quick = await askStreaming(service, agentId, { question: 'Much?' })
    await quick.ended
    // The slow reader's turn has ended. The unread part is only in the database.
    const path = `/api/v1/Conversation?AgentId=${agentId}`
    const counts = async () =>
      (await service.client.call<{ items: { messageCount: number }[] }>('GET', path)).body.items
        .slice(0, 2)
        .map(({ messageCount }) => messageCount)
    await expect.poll(counts, patiently).toEqual([2, 2])
    const socket = sockets.find(({ remotePort }) => remotePort === slow.socket.localPort)
    expect(socket?.writableLength).toBeLessThan(256 * 1024)
    let text = ''
    for await (const chunk of slow.setEncoding('utf8')) text += chunk
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
    expect(ids).toEqual(ids.map((_, index) => index + 1))
    const deltas = [...text.matchAll(/^data: (.*"response\.text\.delta".*)$/gm)].map(
      ([, data]) => (JSON.parse(data ?? '') as { data: { delta: string } }).data.delta,
    )
    expect(deltas.join('') === longWords.join('')).toBe(true)
  })
})
