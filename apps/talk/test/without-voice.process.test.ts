import { type Engine, startEngine } from '@parley/engine'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningService, startService } from '../../server/test/support/start-service.js'
import { endAllTalks, startTalk } from './support/talk-process.js'

const advice = 'Speech needs a package which is not installed.'

let engine: Engine
let service: RunningService

/** An agent without a voice, as if the voice packages were not installed. */
beforeAll(async () => {
  engine = await startEngine({
    port: 0,
    secret: null,
    textToSpeech: { speak: async () => ({ ok: false, kind: 'unavailable', message: advice }) },
  })
  service = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
  const connection = await service.client.call<{ id: string }>('POST', '/api/v1/Connection', {
    body: {
      name: 'Voiceless',
      kind: 'openai-compatible',
      baseUrl: engine.url.replace('ws:', 'http:').replace(/\/realtime$/, ''),
    },
  })
  const tool = { kind: 'builtin', builtin: 'current_time', name: 'current_time', title: 'Look at the clock' }
  const agent = await service.client.call('POST', '/api/v1/Agent', {
    body: { name: 'Writer', connectionId: connection.body.id, tools: [tool] },
  })
  expect(agent.status, agent.text).toBe(201)
}, 60_000)

afterAll(async () => {
  endAllTalks()
  await service.close()
  await engine.close()
})

it('prints the answers of an agent without a voice, and says once what to install [TALK-1]', {
  timeout: 60_000,
}, async () => {
  const who = ['--url', service.url, '--org', service.organizationId, '--key', service.apiKey]
  const client = startTalk([...who, '--agent', 'Writer'])
  client.type('What time is it?\nWho are you?\n')
  client.endInput()
  expect(await client.exitCode).toBe(0)
  const lines = client.stdout().split('\n')
  expect(lines.filter((line) => line.startsWith('  !'))).toEqual([`  ! ${advice}`])
  expect(lines.findIndex((line) => line.startsWith('Writer › It is '))).toBeGreaterThan(
    lines.indexOf(`  ! ${advice}`),
  )
  expect(client.stdout()).toContain('demo model')
})
