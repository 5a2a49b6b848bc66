import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readCommand } from '#engine/command-line.js'
import { RealtimeClient } from '../support/realtime-client.js'

const program = fileURLToPath(new URL('../../bin/parley-engine.mjs', import.meta.url))

test('runs on its own and exits on SIGTERM with code 0', async () => {
  const child = spawn(process.execPath, [program, '--port', '0', '--api-key', 'secret'])
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const url = /ws:\S+/.exec(line.toString())?.[0] ?? ''
  const client = await RealtimeClient.connect(url, 'secret')
  client.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } })
  expect((await client.ask('Hello.')).status).toBe('completed')
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(0)
})

test('exits with code 2 if an option is unknown', async () => {
  const child = spawn(process.execPath, [program, '--prot', '1'])
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(2)
})

test.each([
  [['--port', 'x'], '--port must be a number up to 65535.'],
  [['--host', '0.0.0.0'], '--api-key is required, because other machines can reach this address.'],
  [['--runtime', 'gpu'], '--runtime must be auto, native or wasm.'],
])('%j is rejected with a message', (args, message) => {
  expect(readCommand(args)).toEqual({ kind: 'usage-error', message })
})

test('options can name external services for chat and speech', () => {
  const command = readCommand(['--chat', 'http://127.0.0.1:1/v1', '--speech', 'http://127.0.0.1:1/v1'])
  const options = command.kind === 'start' ? Object.keys(command.options) : []
  expect(options).toEqual(['host', 'port', 'secret', 'runtime', 'textModel', 'textToSpeech'])
})
