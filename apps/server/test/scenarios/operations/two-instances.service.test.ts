import { setInterval } from 'node:timers/promises'
import type { Page, RealtimeSession, Task } from '@parley/contract'
import { Parley } from '@parley/sdk'
import { connect, type Voice } from '@parley/sdk/realtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { joinInstance } from '../../support/questions/instances.js'
import { openSocket, requestHandshake } from '../../support/realtime/open-socket.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import type { ProviderSession } from '../../support/realtime/scripted-provider.js'
import { answered, messagesOf, patiently } from '../../support/realtime/spoken-turns.js'
import { startBalancer } from '../../support/services/balancer.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService } from '../../support/start-service.js'

let postgres: PostgresDatabase
let one: RealtimeTestService
let other: RunningService

const env = { PARLEY_DRAIN_SECONDS: '1', LOG_LEVEL: 'warn' }
const started: RunningService[] = []

async function join(): Promise<RunningService> {
  const joined = await joinInstance(one, postgres.url, { env })
  started.push(joined)
  return joined
}

beforeAll(async () => {
  postgres = await migratedDatabase()
  one = await startRealtimeService({ env: { ...env, DATABASE_URL: postgres.url } })
  other = await join()
})

afterAll(async () => {
  await Promise.all([one, ...started].map(({ service }) => service.close()))
  await one.provider.close()
  await postgres.drop()
})

const many = <Result>(count: number, task: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => task(index)))

describe('sessions that one instance created', () => {
  const count = 50
  const doubled = 5

  test('each session opens once on the other instance, even if both instances are asked concurrently [3.1-3] [4.3-6]', async () => {
    const tickets = await many(count, () => one.createTicket())
    const twice = await many(doubled, async (index) => {
      const path = tickets[index]?.webSocketPath ?? ''
      return Promise.all([requestHandshake(other.url, path), requestHandshake(one.url, path)])
    })
    for (const answers of twice) {
      expect(answers.map(({ status }) => status).sort()).toEqual([101, 400])
      const refused = answers.find(({ status }) => status === 400)
      expect(refused?.text).toContain('RealtimeSessionAlreadyUsed')
    }
    const clients = await many(count - doubled, (index) =>
      openSocket(other.url, tickets[doubled + index]?.webSocketPath ?? ''),
    )
    const relayed = await many(count - doubled, async () => {
      const provider = await one.provider.accept()
      provider.send({ type: 'relayed' })
    })
    expect(relayed).toHaveLength(count - doubled)
    await Promise.all(clients.map(({ socket }) => socket.close(1000)))
    const running = async () =>
      (await one.client.call<Page<RealtimeSession>>('GET', '/api/v1/RealtimeSession?IsRunning=true')).body
    await expect.poll(running, patiently).toMatchObject({ totalCount: 0 })
  })
})

describe('a rolling restart', { timeout: 60_000 }, () => {
  const voiceCount = 3

  /** Lets the model speak every few milliseconds in every session, until the signal aborts. */
  async function keepTalking(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)))
    while (!signal.aborted) {
      const provider = await Promise.race([one.provider.accept(), aborted])
      // A session that was opened earlier may have closed already.
      if (provider !== null) talk(provider).catch(() => undefined)
    }
  }

  async function talk(provider: ProviderSession): Promise<void> {
    const { session } = await provider.inbox.takeType('session.update')
    provider.send({ type: 'session.updated', event_id: 'e', session })
    let count = 0
    for await (const _ of setInterval(25)) {
      if (provider.socket.readyState !== provider.socket.OPEN) return
      provider.send(answered(`A${count}`, `Sentence ${count}`))
      count += 1
    }
  }

  /** Returns the list of message ids that the voice receives. */
  function witness(voice: Voice) {
    const ids: string[] = []
    voice.on('raw', (event) => {
      if (event.type === 'response.id') ids.push(String(Reflect.get(Object(event.data), 'id')))
    })
    return ids
  }

  test('loses nothing on two instances under load: voice sessions reconnect, and calls are made once [OPS-18]', async () => {
    const balancer = await startBalancer()
    for (const { url } of [one, other]) await balancer.add(url)
    const { organizationId, apiKey } = one
    const parley = new Parley({ baseUrl: balancer.url, organizationId, apiKey, maxRetries: 10 })
    const stopping = new AbortController()
    const talking = keepTalking(stopping.signal)
    const voices = await many(voiceCount, () =>
      connect({
        url: balancer.url,
        ticket: ({ conversationId }) =>
          parley.realtimeSessions.create(one.agentId, conversationId === null ? {} : { conversationId }),
      }),
    )
    for (const voice of voices) closeAfterwards(() => voice.close())
    const told = voices.map(witness)
    const titles: string[] = []
    const writing = (async () => {
      for await (const _ of setInterval(20)) {
        if (stopping.signal.aborted) return
        const title = `Task ${titles.length}`
        await parley.tasks.create({ title })
        titles.push(title)
      }
    })()

    /** Waits until each voice has received something new. */
    const goOn = async () => {
      const before = told.map((ids) => ids.length)
      await expect
        .poll(() => told.every((ids, index) => ids.length > (before[index] ?? 0)), patiently)
        .toBe(true)
    }
    await goOn()
    const replaced: RunningService[] = []
    for (const old of [one, other]) {
      await old.service.close()
      const next = await join()
      replaced.push(next)
      await balancer.add(next.url)
      await goOn()
    }
    stopping.abort()
    await Promise.all([writing, talking])

    expect(voices.map((voice) => voice.getState().connection)).toEqual(Array(voiceCount).fill('open'))
    const [last] = replaced
    if (last === undefined) throw new Error('No instance was replaced.')
    for (const [index, voice] of voices.entries()) {
      await voice.close()
      const { conversationId } = voice.getState()
      const stored = async () =>
        new Set((await messagesOf(last.client, conversationId ?? '')).map(({ id }) => id))
      const missing = async () => {
        const ids = await stored()
        return told[index]?.filter((id) => !ids.has(id))
      }
      expect(await missing()).toEqual([])
    }
    const tasks = await last.client.call<Page<Task>>('GET', '/api/v1/Task?Limit=200')
    expect(tasks.body.items.map(({ title }) => title).sort()).toEqual(titles.toSorted())
    await balancer.close()
  })
})
