import type { Agent, Page, RealtimeSessionTicket } from '@parley/contract'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { makeApiClient } from '../../support/api-client.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newMigratedDirectory,
  newPostgres,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import { beginRequest } from '../../support/process/pending-request.js'
import { openSocket } from '../../support/realtime/open-socket.js'
import { startScriptedProvider } from '../../support/realtime/scripted-provider.js'

afterEach(cleanUp)

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return (performance.now() - begin) / 1000
}

describe('a service process', slow, () => {
  test('is ready within 8 s when it starts on existing data [OPS-1]', async () => {
    const directory = await newMigratedDirectory()
    const first = await startParley({ directory })
    await first.ready()
    first.signal('SIGTERM')
    await first.ended
    expect(await secondsOf(async () => (await startParley({ directory })).ready())).toBeLessThan(8)
  })

  test('ends within 2 s when it is idle [OPS-7]', async () => {
    const parley = await startParley({ env: { ...(await newPostgres()), ...bootstrap } })
    await parley.ready()
    parley.signal('SIGTERM')
    expect(await secondsOf(() => parley.ended)).toBeLessThan(2)
  })

  test('drains sessions and requests at the same time [OPS-14]', async () => {
    const provider = await startScriptedProvider()
    onTestFinished(() => provider.close())
    const drainSeconds = 3
    const parley = await startParley({
      env: {
        ...(await newPostgres()),
        ...bootstrap,
        PARLEY_DRAIN_SECONDS: String(drainSeconds),
        OPENAI_API_KEY: 'sk-of-the-test',
        OPENAI_BASE_URL: provider.baseUrl,
      },
    })
    const url = await parley.ready()
    const client = makeApiClient(url, credentials)
    const { body: agents } = await client.call<Page<Agent>>('GET', '/api/v1/Agent')
    const path = `/api/v1/Agent/${agents.items[0]?.id}/realtime-session`
    const { body: ticket } = await client.call<RealtimeSessionTicket>('POST', path, { body: {} })
    const session = await openSocket(url, ticket.webSocketPath)
    const { send } = await provider.accept()
    send({ type: 'input_audio_buffer.speech_started', audio_start_ms: 0, item_id: 'item_1' })
    await session.inbox.takeType('input_audio_buffer.speech_started')
    const request = await beginRequest(url, credentials)
    parley.signal('SIGINT')
    expect(await secondsOf(() => parley.ended)).toBeLessThan(drainSeconds + 2)
    expect(await request.cut).toBeInstanceOf(Error)
  })
})
