import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Player, startPlayer } from '#server/cli/test-kit/replay/player.js'
import { startRecorder } from '#server/cli/test-kit/replay/recorder.js'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { askStreaming } from '../../support/questions/ask.js'
import { joinModels } from '../../support/questions/model-address.js'
import { typesIn } from '../../support/questions/question-service.js'
import { openSocket, type RealtimeClient } from '../../support/realtime/open-socket.js'
import { type ProviderSession, startScriptedProvider } from '../../support/realtime/scripted-provider.js'
import { answered, committed, endedSession, messagesOf, patiently, transcribed } from '../../support/realtime/spoken-turns.js'
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
let recorded: Heard

/** What came of a conversation, typed and then spoken. */
interface Heard {
  readonly written: readonly string[]
  readonly answer: string
  readonly raw: readonly unknown[]
  readonly custom: readonly unknown[]
  readonly messages: readonly (readonly unknown[])[]
}

const isCustom = (type: unknown) => /^(message\.created|response\.(id|completed|function_invocation.*))$/.test(String(type))
const countOf = ({ inbox }: RealtimeClient, type: string) => inbox.types.filter((each) => each === type).length

async function openVoice(conversationId: string) {
  const path = `/api/v1/Agent/${agentId}/realtime-session`
  const body = { conversationId, rehearsal }
  const ticket = (await running.client.call<{ webSocketPath: string }>('POST', path, { body })).body
  return openSocket(running.url, ticket.webSocketPath)
}

/** The client's part: a question, then a session of the same conversation, of so many frames of sound. */
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

/** The provider's part in the session. */
async function playVoice(provider: ProviderSession): Promise<void> {
  await provider.inbox.takeType('session.update')
  provider.send({ type: 'session.updated', event_id: 'e', note: Buffer.from(named).toString('base64') })
  // The past: what was asked, the call and its output, the answer. A provider echoes what it is told, under the same id.
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
  const { status, text } = await running.client.call('PATCH', path, { body: { baseUrl, apiKey: connectionKey } })
  expect(status, text).toBe(200)
}

/** Records one conversation against a provider that is gone afterwards. */
beforeAll(async () => {
  directory = await mkdtemp(join(await temporaryParent(), 'parley-replay-'))
  closeAfterwards(() => rm(directory, { recursive: true }))
  running = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
  const model = await startScriptedChatServer()
  const voice = await startScriptedProvider()
  const upstream = await joinModels(model, voice)
  const recorder = await startRecorder({ directory, upstream: { url: upstream.baseUrl }, secrets: [named] })
  agentId = await makeTextAgent(running, { baseUrl: recorder.baseUrlFor('refund') }, {
    name: 'Clerk',
    tools: [refundTool({ url: 'http://127.0.0.1:9' }, { approvalRequired: false })],
  })
  const agent = await running.client.call<{ connectionId: string }>('GET', `/api/v1/Agent/${agentId}`)
  connectionId = agent.body.connectionId
  model.answer(
    { calls: [{ id: 'typed', name: 'refund', arguments: { amount: 5 } }] },
    { text: ['It is paid, with ', `${connectionKey}, ${unnamed}`, ` and ${named}. Grüße.`] },
  )
  recorded = await converse(async () => playVoice(await voice.accept()))
  expect(model.requests.map(({ headers }) => headers.authorization)).toEqual(
    Array(2).fill(`Bearer ${connectionKey}`),
  )
  await recorder.close()
  await Promise.all([upstream, model, voice].map((server) => server.close()))
})

afterAll(() => running.close())

async function start(options: object = {}): Promise<Player> {
  const player = await startPlayer({ directory, ...options })
  closeAfterwards(() => player.close())
  return player
}

describe('a recording', () => {
  test('[REP-1, REP-3] has a readable file for each request and session, and no secret in any spelling', async () => {
    const names = (await readdir(join(directory, 'refund'))).sort()
    expect(names).toEqual(['001-chat-completions.jsonl', '002-chat-completions.jsonl', '003-realtime.jsonl'])
    const files = await Promise.all(names.map((name) => readFile(join(directory, 'refund', name), 'utf8')))
    const [first = '', second = '', session = ''] = files
    const hidden = [connectionKey, unnamed, named, 'Bearer', Buffer.from(named).toString('base64')]
    for (const file of files) for (const secret of hidden) expect(file).not.toContain(secret)
    expect(second).toContain('[secret]')
    expect(second).toContain('Grüße')
    const lines = first.trim().split('\n').map((line) => JSON.parse(line))
    expect(lines[0]).toEqual({ kind: 'request', method: 'POST', path: '/chat/completions' })
    expect(lines[1]).toMatchObject({ from: 'client', kind: 'json', json: { model: 'a-text-model' } })
    expect(lines[2]).toMatchObject({ from: 'provider', kind: 'status', status: 200 })
    expect(lines.at(-1)).toMatchObject({ from: 'provider', kind: 'end', isWhole: true })
    const frames = session.trim().split('\n').map((line) => JSON.parse(line))
    expect(frames.filter(({ kind }) => kind === 'audio')).toHaveLength(spokenAppends)
    expect(session).not.toContain(Buffer.alloc(480).toString('base64'))
    expect(frames.at(-1)).toMatchObject({ from: 'client', kind: 'end' })
  })

  test('[REP-2] is played a hundred times with no provider there, the same to the client each time', async () => {
    expect(recorded.raw).toContain('conversation.item.added')
    expect(recorded.custom).toContain('response.function_invocation.done')
    const player = await start()
    const concealed = '[secret], [secret] and [secret]'
    for (let count = 0; count < 100; count += 1) {
      await cp(join(directory, 'refund'), join(directory, `run-${count}`), { recursive: true })
      await lead(player.baseUrlFor(`run-${count}`))
      const heard = await converse(async () => undefined)
      expect(player.problems()).toEqual([])
      expect(heard.answer).toBe(`It is paid, with ${concealed}. Grüße.`)
      expect({ ...heard, answer: '', messages: [] }).toEqual({ ...recorded, answer: '', messages: [] })
      // What was told to the session as its past is no message of its own, whatever ids it has today.
      expect(heard.messages.map(([role]) => role)).toEqual(recorded.messages.map(([role]) => role))
    }
  })

  test.each([
    ['more', spokenAppends + 20],
    ['less', 2],
  ])('[REP-2] takes %s sound than there was', async (amount, appends) => {
    await cp(join(directory, 'refund'), join(directory, amount), { recursive: true })
    const player = await start()
    await lead(player.baseUrlFor(amount))
    const heard = await converse(async () => undefined, appends)
    expect(player.problems()).toEqual([])
    expect(heard.raw).toEqual(recorded.raw)
  })

  test('[REP-4] that something else is done, or nothing, is said, and the player goes no further', async () => {
    const player = await start({ patienceMilliseconds: 200 })
    const other = { type: 'response.cancel' }
    for (const [name, send] of [
      ['another', (client: RealtimeClient) => client.send(other)],
      ['silent', () => undefined],
    ] as const) {
      await cp(join(directory, 'refund'), join(directory, name), { recursive: true })
      await lead(player.baseUrlFor(name))
      const stream = await askStreaming(running, agentId, { question: 'Money back!', rehearsal })
      await stream.ended
      const { conversationId } = (await stream.waitFor('turn.started')).data
      const client = await openVoice(conversationId)
      send(client)
      expect((await client.inbox.closed).reason).toBe('provider_closed')
    }
    const third = await askStreaming(running, agentId, { question: 'Again?', rehearsal })
    expect((await third.waitFor('error')).data.message).toContain('no further POST /chat/completions')
    expect(player.problems()).toEqual([
      'another: the client sent response.cancel, which the recording does not have here',
      'silent: the client did not send sound within 0.2 s, as it did in the recording',
      'silent: POST /chat/completions was sent, and the recording has no more of it.',
    ])
  })
})
