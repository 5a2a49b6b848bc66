import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Player,
  type RecordedLine,
  readRecording,
  startPlayer,
  startRecorder,
  wireForm,
} from '@parley/agent-tests'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { concealerOf } from '#server/adapters/secret-redaction/conceal-secrets.js'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { askStreaming } from '../../support/questions/ask.js'
import { joinModels } from '../../support/questions/model-address.js'
import { typesIn } from '../../support/questions/question-service.js'
import { openSocket, type RealtimeClient } from '../../support/realtime/open-socket.js'
import { type ProviderSession, startScriptedProvider } from '../../support/realtime/scripted-provider.js'
import {
  answered,
  committed,
  endedSession,
  messagesOf,
  patiently,
  transcribed,
} from '../../support/realtime/spoken-turns.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { endResponse, playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import { refundTool } from '../../support/realtime/waiting-calls.js'
import { startScriptedChatServer } from '../../support/scripted-chat-server.js'
import { temporaryParent } from '../../support/services/temporary-parent.js'
import { type RunningService, startService } from '../../support/start-service.js'

const connectionKey = 'sk-scripted-text'
const named = 'the name of the cat'
const unnamed = 'sk-proj-nobodyhasnamedthisone0123'
const rehearsal = { tools: [{ name: 'refund', output: 'As if paid.' }] }
const spokenAppends = 5

let running: RunningService
let agentId: string
let connectionId: string
let directory: string
let recording: Promise<Heard> | undefined

/** The outcome of a conversation, first in text and then by voice. */
interface Heard {
  readonly written: readonly string[]
  readonly answer: string
  readonly raw: readonly unknown[]
  readonly custom: readonly unknown[]
  readonly messages: readonly (readonly unknown[])[]
}

const isCustom = (type: unknown) =>
  /^(message\.created|response\.(id|completed|function_invocation.*))$/.test(String(type))
const countOf = ({ inbox }: RealtimeClient, type: string) =>
  inbox.types.filter((each) => each === type).length

async function openVoice(conversationId: string) {
  const path = `/api/v1/Agent/${agentId}/realtime-session`
  const body = { conversationId, rehearsal }
  const ticket = (await running.client.call<{ webSocketPath: string }>('POST', path, { body })).body
  return openSocket(running.url, ticket.webSocketPath)
}

/**
 * Plays the client: asks a question, then opens a session of the conversation and sends this many audio
 * frames.
 */
async function converse(onVoice: () => Promise<void>, appends = spokenAppends): Promise<Heard> {
  const stream = await askStreaming(running, agentId, { question: 'Money back!', rehearsal })
  await stream.ended
  const { conversationId } = (await stream.waitFor('turn.started')).data
  const client = await openVoice(conversationId)
  const voice = onVoice()
  const audio = Buffer.alloc(480).toString('base64')
  for (let count = 0; count < appends; count += 1) client.send({ type: 'input_audio_buffer.append', audio })
  await expect.poll(() => countOf(client, 'response.done'), patiently).toBe(2)
  await expect.poll(() => countOf(client, 'response.completed'), patiently).toBe(1)
  await voice
  client.socket.close()
  await endedSession(running.client, conversationId)
  const { types } = client.inbox
  const messages = await messagesOf(running.client, conversationId)
  return {
    written: typesIn(stream),
    answer: messages.find(({ role }) => role === 'assistant')?.content ?? '',
    raw: types.filter((type) => !isCustom(type)),
    custom: types.filter(isCustom),
    messages: messages.map(({ role, content, channel, status }) => [role, content, channel, status]),
  }
}

/** Plays the provider in the session. */
async function playVoice(provider: ProviderSession): Promise<void> {
  await provider.inbox.takeType('session.update')
  provider.send({ type: 'session.updated', event_id: 'e', note: Buffer.from(named).toString('base64') })
  // The history contains the question, the call, its output and the answer. A provider echoes it with the
  // same ids.
  for (let count = 0; count < 4; count += 1) {
    const { item } = await provider.inbox.takeType('conversation.item.create')
    provider.send({ type: 'conversation.item.added', item })
  }
  for (let count = 0; count < spokenAppends; count += 1)
    await provider.inbox.takeType('input_audio_buffer.append')
  provider.send(committed('heard'))
  provider.send(transcribed('heard', 'And once more.'))
  playCalls(provider, 'resp_1', [{ callId: 'spoken', name: 'refund', arguments: '{"amount":5}' }])
  await takeOutput(provider)
  await provider.inbox.takeType('response.create')
  provider.send({ type: 'response.created', response: { id: 'resp_2' } })
  provider.send(answered('said', 'Paid again.'))
  endResponse(provider, 'resp_2')
}

const lead = async (baseUrl: string) => {
  const path = `/api/v1/Connection/${connectionId}`
  const { status, text } = await running.client.call('PATCH', path, {
    body: { baseUrl, apiKey: connectionKey },
  })
  expect(status, text).toBe(200)
}

beforeAll(async () => {
  directory = await mkdtemp(join(await temporaryParent(), 'parley-replay-'))
  running = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
})

afterAll(async () => {
  await running.close()
  await rm(directory, { recursive: true })
})

/** Records the shared conversation on the first call. */
function recordOnce(): Promise<Heard> {
  recording ??= record()
  return recording
}

/** Records a conversation with a provider that is closed afterwards. */
async function record(): Promise<Heard> {
  const model = await startScriptedChatServer()
  const voice = await startScriptedProvider()
  const upstream = await joinModels(model, voice)
  const recorder = await startRecorder({
    directory,
    upstream: { url: upstream.baseUrl },
    secrets: [named],
    conceal: concealerOf,
  })
  agentId = await makeTextAgent(
    running,
    { baseUrl: recorder.baseUrlFor('refund') },
    {
      name: 'Clerk',
      tools: [refundTool({ url: 'http://127.0.0.1:9' }, { approvalRequired: false })],
    },
  )
  const agent = await running.client.call<{ connectionId: string }>('GET', `/api/v1/Agent/${agentId}`)
  connectionId = agent.body.connectionId
  model.answer(
    { calls: [{ id: 'typed', name: 'refund', arguments: { amount: 5 } }] },
    { text: ['It is paid, with ', `${connectionKey}, ${unnamed}`, ` and ${named}. Grüße.`] },
  )
  const heard = await converse(async () => playVoice(await voice.accept()))
  expect(model.requests.map(({ headers }) => headers.authorization)).toEqual(
    Array(2).fill(`Bearer ${connectionKey}`),
  )
  await recorder.close()
  await Promise.all([upstream, model, voice].map((server) => server.close()))
  return heard
}

async function start(options: object = {}): Promise<Player> {
  const player = await startPlayer({ directory, ...options })
  closeAfterwards(() => player.close())
  return player
}

/** Copies the recording to another name, because each recording is played once. */
async function copy(scope: string): Promise<string> {
  await cp(join(directory, 'refund'), join(directory, scope), { recursive: true })
  return scope
}

const wireFormsFrom = (lines: readonly RecordedLine[], from: RecordedLine['from']) =>
  lines.filter((line) => line.from === from).flatMap((line) => wireForm(line) ?? [])

/** Returns everything that the provider sent, as it was sent. */
const providerOutput = (lines: readonly RecordedLine[]) => wireFormsFrom(lines, 'provider').join('')

async function replayRequest(url: string, lines: readonly RecordedLine[]): Promise<string> {
  const [body] = wireFormsFrom(lines, 'client')
  return (await fetch(url, { method: 'POST', body: String(body) })).text()
}

/** Sends all client frames at once and returns everything that the player sends. */
async function replaySession(url: string, lines: readonly RecordedLine[]): Promise<string> {
  const { origin, pathname, search } = new URL(url)
  const { socket, inbox, send } = await openSocket(origin, `${pathname}${search}`)
  for (const line of lines)
    if (line.kind === 'audio') send({ type: 'input_audio_buffer.append', audio: '' })
    else if (line.from === 'client') for (const form of wireFormsFrom([line], 'client')) send(form)
  const expected = wireFormsFrom(lines, 'provider').length
  const frames: string[] = []
  while (frames.length < expected) frames.push((await inbox.take()).data.toString())
  socket.close()
  return frames.join('')
}

describe('a recording', () => {
  test('has a readable file for each request and session, without a secret in any encoding [REP-1] [REP-3]', async () => {
    await recordOnce()
    const names = (await readdir(join(directory, 'refund'))).sort()
    expect(names).toEqual(['001-chat-completions.jsonl', '002-chat-completions.jsonl', '003-realtime.jsonl'])
    const files = await Promise.all(names.map((name) => readFile(join(directory, 'refund', name), 'utf8')))
    const [first = '', second = '', session = ''] = files
    const hidden = [connectionKey, unnamed, named, 'Bearer', Buffer.from(named).toString('base64')]
    for (const file of files) for (const secret of hidden) expect(file).not.toContain(secret)
    expect(second).toContain('[secret]')
    expect(second).toContain('Grüße')
    const lines = first
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toEqual({ kind: 'request', method: 'POST', path: '/chat/completions' })
    expect(lines[1]).toMatchObject({ from: 'client', kind: 'json', json: { model: 'a-text-model' } })
    expect(lines[2]).toMatchObject({ from: 'provider', kind: 'status', status: 200 })
    expect(lines.at(-1)).toMatchObject({ from: 'provider', kind: 'end', isWhole: true })
    const frames = session
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(frames.filter(({ kind }) => kind === 'audio')).toHaveLength(spokenAppends)
    expect(session).not.toContain(Buffer.alloc(480).toString('base64'))
    expect(frames.at(-1)).toMatchObject({ from: 'client', kind: 'end' })
  })

  test('is replayed through the service without a provider, and the client receives the same each time [REP-2]', async () => {
    const recorded = await recordOnce()
    expect(recorded.raw).toContain('conversation.item.added')
    expect(recorded.custom).toContain('response.function_invocation.done')
    const player = await start()
    const concealed = '[secret], [secret] and [secret]'
    for (let count = 0; count < 5; count += 1) {
      await lead(player.baseUrlFor(await copy(`run-${count}`)))
      const heard = await converse(async () => undefined)
      expect(player.problems()).toEqual([])
      expect(heard.answer).toBe(`It is paid, with ${concealed}. Grüße.`)
      expect({ ...heard, answer: '', messages: [] }).toEqual({ ...recorded, answer: '', messages: [] })
      // The replayed history is not stored as new messages, although its ids differ today.
      expect(heard.messages.map(([role]) => role)).toEqual(recorded.messages.map(([role]) => role))
    }
  })

  test('is replayed a hundred times, byte for byte [REP-2]', async () => {
    await recordOnce()
    const player = await start()
    const names = (await readdir(join(directory, 'refund'))).sort()
    const files = await Promise.all(
      names.map(async (name) => readRecording(await readFile(join(directory, 'refund', name), 'utf8'))),
    )
    for (let count = 0; count < 100; count += 1) {
      const baseUrl = player.baseUrlFor(await copy(`bare-${count}`))
      for (const { opening, lines } of files)
        expect(
          await (opening.kind === 'request' ? replayRequest : replaySession)(
            `${baseUrl}${opening.path}`,
            lines,
          ),
        ).toEqual(providerOutput(lines))
    }
    expect(player.problems()).toEqual([])
  })

  test.each([
    ['more', spokenAppends + 20],
    ['less', 2],
  ])('accepts %s audio than was recorded [REP-2]', async (amount, appends) => {
    const recorded = await recordOnce()
    const player = await start()
    await lead(player.baseUrlFor(await copy(amount)))
    const heard = await converse(async () => undefined, appends)
    expect(player.problems()).toEqual([])
    expect(heard.raw).toEqual(recorded.raw)
  })

  test('reports a deviation or a missing request, and the player stops there [REP-4]', async () => {
    await recordOnce()
    const speakTo = async (player: Player, scope: string) => {
      await lead(player.baseUrlFor(await copy(scope)))
      const stream = await askStreaming(running, agentId, { question: 'Money back!', rehearsal })
      await stream.ended
      return openVoice((await stream.waitFor('turn.started')).data.conversationId)
    }
    const patient = await start()
    const canceling = await speakTo(patient, 'another')
    canceling.send({ type: 'response.cancel' })
    expect((await canceling.inbox.closed).reason).toBe('provider_closed')
    const again = await askStreaming(running, agentId, { question: 'Again?', rehearsal })
    expect((await again.waitFor('error')).data.message).toContain('no further POST /chat/completions')
    expect(patient.problems()).toEqual([
      'another: the client sent response.cancel, which the recording does not have here',
      'another: POST /chat/completions was sent, and the recording has no more of it.',
    ])

    const hasty = await start({ patienceMilliseconds: 1000 })
    const silent = await speakTo(hasty, 'silent')
    expect((await silent.inbox.closed).reason).toBe('provider_closed')
    expect(hasty.problems()).toEqual([
      expect.stringMatching(/^silent: the client did not send .+ within 1 s, as it did in the recording$/),
    ])
  })
})
