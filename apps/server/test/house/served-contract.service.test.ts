import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { startService } from '../support/start-service.js'
import { readJson, readProjectFile } from './source-files.js'

test('GET /openapi.json serves the committed contract without authentication [9-1, API-16]', async () => {
  const running = await startService()
  const response = await fetch(`${running.url}/openapi.json`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('application/json')
  expect(await response.json()).toEqual(readJson('packages/contract/openapi.json'))
  await running.close()
})

test('GET /schema/agents.json serves the agents-as-code schema, and the examples match it [CODE-12]', async () => {
  const running = await startService()
  const schema: unknown = await (await fetch(`${running.url}/schema/agents.json`)).json()
  await running.close()
  expect(schema).toEqual(readJson('packages/contract/agents-file.schema.json'))
  const validate = new Ajv2020({ strict: false, formats: { uuid: true } }).compile(
    readJson<object>('packages/contract/agents-file.schema.json'),
  )
  for (const name of ['organization', 'front-desk', 'housekeeping']) {
    const text = readProjectFile(`examples/agents/${name}.yaml`)
    expect([validate(parse(text)), validate.errors]).toEqual([true, null])
  }
})

test('GET /schema/agent-tests.json serves the agent test schema, and the examples match it [KIT-8]', async () => {
  const running = await startService()
  const schema: unknown = await (await fetch(`${running.url}/schema/agent-tests.json`)).json()
  await running.close()
  expect(schema).toEqual(readJson('packages/contract/agent-tests-file.schema.json'))
  const validate = new Ajv2020({ strict: false }).compile(
    readJson<object>('packages/contract/agent-tests-file.schema.json'),
  )
  for (const name of ['front-desk', 'housekeeping']) {
    const text = readProjectFile(`examples/agents/${name}.test.yaml`)
    expect([validate(parse(text)), validate.errors]).toEqual([true, null])
  }
  expect(
    validate({ agent: 'a', tests: [{ name: 'b', turns: [{ user: 'c', expect: [{ sayz: 'd' }] }] }] }),
  ).toBe(false)
})

test('all packages have the same version [9-1]', () => {
  const versionOf = (path: string) => readJson<{ version: string }>(`${path}package.json`).version
  expect([versionOf('packages/contract/'), versionOf('apps/server/')]).toEqual([versionOf(''), versionOf('')])
})
