import type { RealtimeUsage } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUsage, noUsage } from '#server/domain/realtime/usage.js'
import { decodeEvent } from '../../support/realtime/decode-event.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { committed, endedSession, patiently, sessionsOf } from '../../support/realtime/spoken-turns.js'
import { makeTestTimers } from '../../support/test-timers.js'

const timers = makeTestTimers()

let service: RealtimeTestService

beforeAll(async () => {
  service = await startRealtimeService({ timers })
})

afterAll(() => service.close())

const done = (usage?: unknown) => ({
  type: 'response.done',
  response: { id: 'R', status: 'completed', output: [], ...(usage !== undefined && { usage }) },
})

/** As providers report it: cached tokens are part of the input. */
const spokenUsage = {
  total_tokens: 253,
  input_tokens: 132,
  output_tokens: 121,
  input_token_details: {
    text_tokens: 119,
    audio_tokens: 10,
    image_tokens: 3,
    cached_tokens: 64,
    cached_tokens_details: { text_tokens: 60, audio_tokens: 4, image_tokens: 0 },
  },
  output_token_details: { text_tokens: 30, audio_tokens: 91 },
}

const spoken: RealtimeUsage = {
  ...{ responses: 1, totalTokens: 253, inputTokens: 132, outputTokens: 121 },
  ...{ inputTextTokens: 119, inputAudioTokens: 10, inputImageTokens: 3 },
  ...{ cachedTokens: 64, cachedTextTokens: 60, cachedAudioTokens: 4 },
  ...{ outputTextTokens: 30, outputAudioTokens: 91 },
}

const sumOf = (...usages: readonly RealtimeUsage[]): RealtimeUsage =>
  usages.reduce(
    (total, usage) =>
      Object.fromEntries(
        Object.entries(total).map(([name, count]) => [name, count + usage[name as keyof RealtimeUsage]]),
      ) as RealtimeUsage,
    noUsage,
  )

const unknown: RealtimeUsage = { ...noUsage, responses: 1 }

describe('the usage of a response', () => {
  test.each<[string, unknown, RealtimeUsage]>([
    ['is counted by modality, with cached tokens as part of the input', spokenUsage, spoken],
    ['counts the response if it is missing', undefined, unknown],
    ['counts the response if it is null', null, unknown],
    ['counts the response if it is invalid', ['tokens'], unknown],
    [
      'contains the given totals if others are missing',
      { total_tokens: 5, input_tokens: 2 },
      { ...unknown, totalTokens: 5, inputTokens: 2 },
    ],
    [
      'contains the given details if others are missing',
      { output_tokens: 3, input_token_details: { cached_tokens: 1 }, output_token_details: null },
      { ...unknown, outputTokens: 3, cachedTokens: 1 },
    ],
    [
      'leaves out values that are not numbers',
      { total_tokens: '5', input_tokens: 2 },
      { ...unknown, inputTokens: 2 },
    ],
  ])('%s [RT-25]', (_, usage, counted) => {
    const decoded = decodeEvent(done(usage))
    if (decoded?.type !== 'response.done') throw new Error('not decoded as the end of a response')
    expect(addUsage(noUsage, decoded.usage)).toEqual(counted)
    expect(addUsage(spoken, decoded.usage)).toEqual(sumOf(spoken, counted))
  })

  test('is added to its own session only [RT-25]', async () => {
    const [session, other] = [await service.openSession(), await service.openSession()]
    const usageOf = async ({ ticket }: typeof session) =>
      (await sessionsOf(service.client, ticket.conversationId))[0]?.usage
    expect(await usageOf(session)).toEqual(noUsage)
    session.provider.send(done(spokenUsage))
    await expect.poll(() => usageOf(session), patiently).toEqual(spoken)
    session.provider.send(done())
    session.provider.send({
      ...done(spokenUsage),
      response: { ...done(spokenUsage).response, status: 'cancelled' },
    })
    await expect.poll(() => usageOf(session), patiently).toEqual(sumOf(spoken, unknown, spoken))
    session.provider.send(done(spokenUsage))
    session.provider.socket.close()
    const ended = await endedSession(service.client, session.ticket.conversationId)
    expect(ended.usage).toEqual(sumOf(spoken, unknown, spoken, spoken))
    other.client.socket.close()
    expect((await endedSession(service.client, other.ticket.conversationId)).usage).toEqual(noUsage)
  })
})

describe('the metrics', () => {
  /** Returns the samples of realtime sessions by name and labels. */
  async function samples(): Promise<Record<string, number>> {
    const { text } = await service.client.call('GET', '/metrics')
    const lines = text.matchAll(/^parley_realtime_(\S+) (\S+)$/gm)
    return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]))
  }

  /** Returns what the samples gained during the action. */
  async function added(meanwhile: () => Promise<unknown>): Promise<Record<string, number>> {
    const before = await samples()
    await meanwhile()
    const changes = Object.entries(await samples()).map(
      ([name, value]) => [name, value - (before[name] ?? 0)] as const,
    )
    return Object.fromEntries(changes.filter(([name, change]) => change !== 0 && !name.includes('_bucket')))
  }

  test('metrics count active sessions, and ended ones by reason [RT-31]', async () => {
    const [one, other] = [await service.openSession(), await service.openSession()]
    expect(await samples()).toMatchObject({ sessions_active: 2 })
    const leaving = await added(async () => {
      one.client.socket.close()
      other.provider.socket.close()
      for (const { ticket } of [one, other]) await endedSession(service.client, ticket.conversationId)
    })
    expect(leaving).toEqual({
      sessions_active: -2,
      'sessions_ended_total{reason="client_left"}': 1,
      'sessions_ended_total{reason="provider_closed"}': 1,
    })
  })

  test('metrics count frames and bytes by sender, and measure durations [RT-31]', async () => {
    const session = await service.openSession()
    const { client, provider, ticket } = session
    const audio = { type: 'response.output_audio.delta', delta: 'AAAA' }
    const providerEvents = [committed('U'), audio, audio, committed('V')]
    const sent = [{ type: 'input_audio_buffer.append', audio: 'AAAA' }, { type: 'response.create' }]
    const bytes = (events: readonly object[]) =>
      events.reduce((sum, event) => sum + JSON.stringify(event).length, 0)
    const relayed = await added(async () => {
      provider.send(providerEvents[0] ?? {})
      await client.inbox.take()
      timers.advance(250)
      for (const event of providerEvents.slice(1)) provider.send(event)
      for (const _ of providerEvents.slice(1)) await client.inbox.take()
      for (const event of sent) client.send(event)
      for (const _ of sent) await provider.inbox.take()
      timers.advance(1000)
      provider.send(audio)
      await client.inbox.take()
    })
    expect(relayed).toEqual({
      'frames_total{from="client"}': 2,
      'bytes_total{from="client"}': bytes(sent),
      'frames_total{from="provider"}': 5,
      'bytes_total{from="provider"}': bytes([...providerEvents, audio]),
      first_audio_seconds_count: 2,
      first_audio_seconds_sum: 1.25,
    })
    client.socket.close()
    await endedSession(service.client, ticket.conversationId)
  })

  test('metrics measure how long providers take to connect [RT-31]', async () => {
    const connecting = await added(async () => {
      service.provider.onUpgrade(() => {
        timers.advance(500)
        return 'accept'
      })
      const { client, ticket } = await service.openSession()
      client.socket.close()
      await endedSession(service.client, ticket.conversationId)
    })
    expect(connecting).toMatchObject({
      provider_connect_seconds_count: 1,
      provider_connect_seconds_sum: 0.5,
      'sessions_ended_total{reason="client_left"}': 1,
    })
  })
})
