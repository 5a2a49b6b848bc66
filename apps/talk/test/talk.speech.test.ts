import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromWav, toWav } from '@parley/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestSession, socketAddress } from '#talk/service-api.js'
import { VoiceSession } from '#talk/voice-session.js'
import { personWorkers } from '../../../packages/engine/test/support/person-workers.js'
import { type RunningService, startService } from '../../server/test/support/start-service.js'
import { endAllTalks, type StartOptions, startTalk } from './support/talk-process.js'

const slow = { timeout: 60_000 }

/** The service runs in this process. Each client runs in its own process. */
let service: RunningService
let directory = ''

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-talk-'))
  service = await startService()
})
afterAll(async () => {
  endAllTalks()
  await service?.close()
  await rm(directory, { recursive: true, force: true })
})

function talk(args: readonly string[] = [], options: StartOptions = {}) {
  const credentials = { ORG: service.organizationId, KEY: service.apiKey }
  return startTalk(['--url', service.url, ...args], { ...options, env: { ...credentials, ...options.env } })
}

/** A user at a terminal without colors. */
function sitDown(args: readonly string[] = []) {
  return talk(args, { inTerminal: true, env: { NO_COLOR: '1' } })
}

/** Writes speech to a stereo file. */
async function record(words: string): Promise<Buffer> {
  const spoken = await personWorkers().textToSpeech.speak({ text: words, voice: 'ash', speed: 1 })
  if (!spoken.ok) throw new Error(`Failed to speak the words: ${spoken.kind}`)
  const { samples, rate } = spoken.value
  const file = toWav({
    samples: Int16Array.from({ length: samples.length * 2 }, (_, at) => samples[at >> 1] ?? 0),
    rate,
  })
  file.writeUInt16LE(2, 22)
  file.writeUInt32LE(rate * 4, 28)
  file.writeUInt16LE(4, 32)
  return file
}

async function itemsAt<Item>(path: string): Promise<readonly Item[]> {
  return (await service.client.call<{ items: readonly Item[] }>('GET', `/api/v1${path}`)).body.items
}

async function taskTitles(): Promise<string[]> {
  return (await itemsAt<{ title: string }>('/Task')).map(({ title }) => title)
}

describe('a typed conversation [TALK-1]', () => {
  it('answers the lines of a pipe one after the other, then ends', slow, async () => {
    const client = talk()
    client.type('What time is it?\n\nPlease create a task to sweep the floor\n')
    client.endInput()
    expect(await client.exitCode).toBe(0)
    const lines = client.stdout().split('\n')
    expect(lines[0]).toMatch(/^Talking to Front desk, conversation [0-9a-f-]{36}$/)
    expect(lines[1]).toBe('Front desk › Hello, this is the front desk. How can I help?')
    expect(lines[2]).toBe('You › What time is it?')
    expect(lines[3]).toBe('  ⚙ Look at the clock')
    expect(lines[4]).toMatch(/^ {2}✓ Look at the clock, \d\.\d\d s: It is .*20\d\d/)
    expect(lines[5]).toMatch(/^Front desk › It is .*20\d\d/)
    expect(lines[6]).toMatch(/^ {2}\(first word after \d+\.\d\d s, first audio after \d+\.\d\d s\)$/)
    expect(lines[7]).toBe('You › Please create a task to sweep the floor')
    expect(client.raw()).not.toContain('\u001b')

    expect(client.stdout()).toContain('rejected automatically, because there is no terminal')
    expect(client.stdout()).toContain('✗ Create a task failed')
    expect(await taskTitles()).not.toContain('sweep the floor')
  })

  it('approves automatically with --yes', slow, async () => {
    const client = talk(['--yes'])
    client.type('Please create a task to feed the cat\nexit\nWhat time is it?\n')
    expect(await client.exitCode).toBe(0)
    expect(client.stdout()).toContain('✓ Create a task')
    expect(client.stdout()).not.toContain('What time is it?')
    expect(await taskTitles()).toContain('feed the cat')
  })

  it('talks to the named agent in the named conversation', slow, async () => {
    const first = talk(['--agent', 'librarian'])
    first.type('Hello\n')
    first.endInput()
    expect(await first.exitCode).toBe(0)
    expect(first.stdout()).toContain('Librarian ›')
    const conversation = /--conversation (\S+)/.exec(first.stdout())?.[1] ?? ''

    const second = talk(['--agent', 'Librarian', '--conversation', conversation])
    second.type('Good bye\n')
    second.endInput()
    expect(await second.exitCode).toBe(0)
    const messages = await itemsAt<{ role: string; content: string }>(`/Conversation/${conversation}/message`)
    const questions = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
    expect(questions.sort()).toEqual(['Good bye', 'Hello'])
  })
})

describe('a user at a terminal', () => {
  it('decides approvals', slow, async () => {
    const client = sitDown()
    await client.shows('You › ')
    client.type('Please create a task to water the plants\n')
    await client.shows('⚙ Create a task title: water the plants')
    await client.shows('? Run "Create a task"? (y/n) ')
    client.type('perhaps\n')
    await client.shows('? Run "Create a task"? (y/n) ')
    client.type('y\n')
    await client.shows('✓ approved')
    await client.shows(/✓ Create a task, \d\.\d\d s/)
    await client.shows(/Front desk › .*water the plants/)
    expect(await taskTitles()).toContain('water the plants')

    await client.shows('You › ')
    client.type('Please create a task to paint the door\n')
    await client.shows('? Run "Create a task"? (y/n) ')
    client.type('n\n')
    await client.shows('✗ Create a task failed')
    await client.shows('first word after')
    expect(await taskTitles()).not.toContain('paint the door')
    client.type('exit\n')
    expect(await client.exitCode).toBe(0)
  })

  it('can leave a call undecided, and is asked again in the next session', slow, async () => {
    const first = sitDown()
    await first.shows('You › ')
    first.type('Please create a task to wash the car\n')
    await first.shows('? Run "Create a task"? (y/n) ')
    // Ctrl-D.
    first.type('\u0004')
    await first.shows('the call is still waiting')
    expect(await first.exitCode).toBe(0)
    const conversation = /--conversation (\S+)/.exec(first.stdout())?.[1] ?? ''
    expect(await taskTitles()).not.toContain('wash the car')

    const second = sitDown(['--conversation', conversation])
    await second.shows('⚙ Create a task title: wash the car')
    await second.shows('? Run "Create a task"? (y/n) ')
    second.type('y\nWhat time is it?\n')
    await second.shows(/Front desk › .*wash the car/)
    await second.shows(/Front desk › It is .*20\d\d/)
    expect(await taskTitles()).toContain('wash the car')
    second.type('exit\n')
    expect(await second.exitCode).toBe(0)
  })

  it('sees why a session ended, and continues in a new one', slow, async () => {
    const client = sitDown()
    await client.shows('You › ')
    for (const { id } of await itemsAt<{ id: string }>('/RealtimeSession?IsRunning=true'))
      expect((await service.client.call('DELETE', `/api/v1/RealtimeSession/${id}`)).status).toBe(204)
    await client.shows(/! Session ended: \S+/)
    await client.shows('You › ')
    client.type('What time is it?\n')
    await client.shows(/Front desk › It is .*20\d\d/)
    await client.shows('You › ')
    // Ctrl-C.
    client.type('\u0003')
    expect(await client.exitCode).toBe(0)
    await client.shows('To continue later')
  })
})

describe.concurrent('a spoken turn', () => {
  it('speaks with --say, and prints and saves the spoken answer', slow, async () => {
    const path = join(directory, 'answer.wav')
    const client = talk(['--say', 'What time is it?', '--save', path])
    expect(await client.exitCode).toBe(0)
    expect(client.stderr()).toContain('Loading the voice.\n')
    expect(client.stdout()).toMatch(/^You › What time is it\?$/m)
    expect(client.stdout()).toMatch(/✓ Look at the clock/)
    expect(client.stdout()).toMatch(/^Front desk › It is .*20\d\d/m)
    expect(client.stdout()).toMatch(/first audio after \d+\.\d\d s/)

    const answer = fromWav(await readFile(path))
    expect(answer?.rate).toBe(24_000)
    expect(answer?.samples.length).toBeGreaterThan(24_000)
    expect(answer?.samples.some((sample) => Math.abs(sample) > 3000)).toBe(true)
  })

  it('sends a stereo recording with its own rate', slow, async () => {
    const path = join(directory, 'question.wav')
    await writeFile(path, await record('What time is it?'))
    const client = talk(['--wav', path])
    expect(await client.exitCode).toBe(0)
    expect(client.stdout()).toMatch(/^You › What time is it\?$/m)
    expect(client.stdout()).toMatch(/^Front desk › It is .*20\d\d/m)
  })
})

describe.concurrent('a conversation that cannot start', () => {
  it.each([
    ['credentials are missing', { KEY: '' }, [], /^Credentials are missing\. .*\n$/],
    ['the key is wrong', { KEY: `prl_TestKey1_${'y'.repeat(43)}` }, [], /^Request failed: .*\n$/],
    [
      'the agent does not exist',
      {},
      ['--agent', 'Nobody'],
      /^Agent "Nobody" not found\. .*"Front desk".*\n$/,
    ],
    ['the recording does not exist', {}, ['--wav', '/nowhere.wav'], /^Cannot read \/nowhere\.wav: .*\n$/],
    [
      'the conversation does not exist',
      {},
      ['--conversation', '019a0000-0000-7000-8000-00000000dead'],
      /^Request failed: .*\n$/,
    ],
    [
      'no service is running',
      {},
      ['--url', 'http://127.0.0.1:1'],
      /^No service is running at http:\/\/127\.0\.0\.1:1\. Start it with npm start, or pass --url\.\n$/,
    ],
  ])('says in one sentence what to do if %s', slow, async (_, env, args, sentence) => {
    const client = talk(args, { env })
    expect(await client.exitCode).toBe(2)
    expect(client.stderr()).toMatch(sentence)
    expect(client.stdout()).toBe('')
  })

  it('explains why a socket does not open', slow, async () => {
    const [agent] = await itemsAt<{ id: string }>('/Agent')
    const { url, organizationId, apiKey } = service
    const caller = { url, organizationId, apiKey }
    const ticket = await requestSession(caller, agent?.id ?? '', null)
    if (!ticket.ok) throw new Error(ticket.message)
    const address = socketAddress(caller, ticket.value)
    const ignore = () => () => undefined
    const first = await VoiceSession.open(address, ignore)
    expect(await VoiceSession.open(address, ignore)).toEqual({
      ok: false,
      message: expect.stringMatching(/^Failed to open the session: .*used/),
    })
    if (first.ok) await first.value.close()
    expect(first.ok).toBe(true)
  })
})
