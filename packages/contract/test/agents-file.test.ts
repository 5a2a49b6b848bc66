import { readFileSync } from 'node:fs'
import { AgentsFile, buildAgentsFileSchema, buildAgentTestsFileSchema } from '@parley/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'

const committed = JSON.parse(readFileSync(new URL('../agents-file.schema.json', import.meta.url), 'utf8'))

test('the committed schema of agent files is up to date [CODE-12]', () => {
  expect(JSON.parse(JSON.stringify(buildAgentsFileSchema()))).toEqual(committed)
})

test('the schema accepts what the contract accepts, and variables in addresses [CODE-12]', () => {
  const validate = new Ajv2020({ strict: false, formats: { uuid: true } }).compile(committed)
  const connection = { name: 'C', kind: 'openai-compatible', baseUrl: `\${env:MODELS_URL}` }
  expect(validate({ set: 'hotel', connections: { c: connection }, agents: { a: { name: 'A' } } })).toBe(true)
  for (const wrong of [
    { agents: { a: {} } },
    { agents: { a: { name: 'A', voices: 'x' } } },
    { agents: { a: { name: 'A', tools: [{ kind: 'http', name: 'x' }] } } },
  ]) {
    expect(validate(wrong)).toBe(false)
    expect(AgentsFile.safeParse(wrong).success).toBe(false)
  }
})

test('the committed schema of agent tests is up to date [KIT-8]', () => {
  const text = readFileSync(new URL('../agent-tests-file.schema.json', import.meta.url), 'utf8')
  expect(JSON.parse(JSON.stringify(buildAgentTestsFileSchema()))).toEqual(JSON.parse(text))
})
