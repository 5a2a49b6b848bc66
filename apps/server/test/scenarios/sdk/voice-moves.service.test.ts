import type { Agent } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { type ScriptedProvider, startScriptedProvider } from '../../support/realtime/scripted-provider.js'
import { patiently, responseCreated, responseDone, spoke } from '../../support/realtime/spoken-turns.js'
import { acceptSession, openVoice } from '../../support/sdk/scripted-voice.js'

let running: RealtimeTestService
let fallback: ScriptedProvider
let agentId: string

beforeAll(async () => {
  running = await startRealtimeService()
  fallback = await startScriptedProvider()
  const make = async (name: string, { baseUrl }: ScriptedProvider) => {
    const body = { name, kind: 'openai-compatible', baseUrl, apiKey: 'k', models: { realtime: [name] } }
    return (await running.client.call<{ id: string }>('POST', '/api/v1/Connection', { body })).body.id
  }
  const connectionId = await make('own', running.provider)
  const realtimeFallbacks = [{ connectionId: await make('other', fallback) }]
  const body = { name: 'Robust', connectionId, realtimeFallbacks }
  agentId = (await running.client.call<Agent>('POST', '/api/v1/Agent', { body })).body.id
})

afterAll(async () => {
  await running.close()
  await fallback.close()
})

test('a voice goes on in the same session if the service moves it to another model [SDK-44]', async () => {
  const { voice, provider, ticketRequests } = await openVoice(running, { agentId })
  const changes: object[] = []
  const phases: string[] = []
  voice.on('providerChanged', (change) => changes.push(change))
  voice.subscribe(() => phases.push(voice.getState().phase))
  provider.send(responseCreated('response of A'))
  provider.send(spoke('A', 'Good '))
  await expect.poll(() => voice.getState().transcript, patiently).toMatchObject([{ text: 'Good ' }])
  provider.socket.close(1011, 'overloaded')
  const next = await acceptSession({ provider: fallback })
  const change = { reason: 'closed', providerModelName: 'other', isContextRestored: true }
  await expect.poll(() => voice.getState().providerChange, patiently).toEqual(change)
  expect(changes).toEqual([change])
  expect(voice.getState()).toMatchObject({ isResponding: false, transcript: [{ isFinal: true }] })
  await next.inbox.takeType('response.create')
  next.send(responseCreated('response of B'))
  next.send(spoke('B', 'morning.'))
  next.send(responseDone('response of B'))
  await expect.poll(() => voice.getState().providerChange, patiently).toBeNull()
  expect(voice.getState().transcript).toMatchObject([{ text: 'Good ' }, { text: 'morning.' }])
  expect(phases).not.toContain('reconnecting')
  expect(ticketRequests).toHaveLength(1)
})
