import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanUp } from '../../support/process/parley-process.js'
import { type InstalledSdk, installSdk, programOfNpm } from '../../support/sdk/installed-sdk.js'

let sdk: InstalledSdk

beforeAll(async () => {
  sdk = await installSdk()
  await writeFile(join(sdk.folder, 'program.mjs'), program)
})

afterAll(cleanUp)

const program = `
import { NotFoundError, Parley } from '@parley/sdk'

const { PARLEY_URL: baseUrl, PARLEY_ORG_ID: organizationId, PARLEY_API_KEY: apiKey } = globalThis.process.env
const parley = new Parley({ baseUrl, organizationId, apiKey })
const agent = await parley.agents.create({ name: 'Clock', tools: [{ kind: 'builtin', name: 'now', builtin: 'current_time' }] })

const names = []
for await (const { name } of parley.agents.list({ Search: 'Clock', Limit: 1 })) names.push(name)

const events = []
const stream = parley.questions.stream(agent.id, { question: 'What time is it?' })
for await (const { type } of stream) events.push(type)
const { status, answer } = await stream.finalAnswer()

const { etag } = await parley.agents.get(agent.id).withResponse()
const changed = await parley.agents.patch(agent.id, { description: 'Tells the time.' }, { ifMatch: etag })

const file = await parley.temporaryFiles.create({ name: 'note.txt', contents: 'The roof is new.' })
const text = await (await parley.temporaryFiles.getContent(file.id)).text()

await parley.agents.delete(agent.id)
const error = await parley.agents.get(agent.id).catch((reason) => reason)

console.log(JSON.stringify({
  runtime: ['Bun', 'Deno'].find((name) => name in globalThis) ?? 'Node',
  names, first: events[0], last: events.at(-1), status, answer: answer.slice(0, 5),
  description: changed.description, text, isNotFound: error instanceof NotFoundError,
}))
`

test.each([
  ['Node', [process.execPath]],
  ['Bun', [...programOfNpm('bun@1.4.4', 'bun'), 'run']],
  ['Deno', [...programOfNpm('deno@2.9.6', 'deno'), 'run', '--allow-net', '--allow-env', '--allow-read']],
])('%s runs the REST client [SDK-43]', { timeout: 300_000 }, async (runtime, [name = '', ...args]) => {
  expect(JSON.parse(await sdk.run(name, ...args, 'program.mjs'))).toEqual({
    runtime,
    names: ['Clock'],
    first: 'turn.started',
    last: 'response.completed',
    status: 'completed',
    answer: 'It is',
    description: 'Tells the time.',
    text: 'The roof is new.',
    isNotFound: true,
  })
})
