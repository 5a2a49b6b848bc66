import { describe, expect, test } from 'vitest'
import { uploaded } from '../../support/files/upload.js'
import { ask } from '../../support/questions/ask.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import type { OpenSession } from '../../support/realtime/realtime-service.js'
import { playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import { makeTestClock } from '../../support/test-clock.js'

const clock = makeTestClock(new Date())
const service = useQuestionService(() => ({ clock, env: { PARLEY_TEMPORARY_FILE_TTL_SECONDS: '3600' } }))

/** Asks a text question with a file. Returns the conversation id. */
async function giveFile(
  agentId: string,
  { name, content }: { readonly name: string; readonly content: string },
  conversationId?: string,
): Promise<string> {
  const file = await uploaded(service.running, { name, content })
  service.model.answer({ text: 'I have it.' })
  const { status, body } = await ask(service.running, agentId, {
    ...{ question: 'Take this file.', fileIds: [file.id] },
    ...(conversationId !== undefined && { conversationId }),
  })
  expect(status).toBe(200)
  return body.conversationId
}

/** Returns the frames that the session has sent to the provider so far. */
async function framesSentTo({ client, provider }: OpenSession): Promise<Record<string, unknown>[]> {
  client.send({ type: 'input_audio_buffer.clear' })
  await provider.inbox.takeType('input_audio_buffer.clear')
  return provider.inbox.all.map(({ data }) => JSON.parse(data.toString()) as Record<string, unknown>)
}

interface Update {
  readonly session: { readonly instructions: string; readonly tools: readonly { readonly name: string }[] }
}

const toolNames = ([update]: readonly Record<string, unknown>[]) =>
  (update as unknown as Update).session.tools.map(({ name }) => name)

async function search(session: OpenSession, query: string, tool = 'search_files'): Promise<string> {
  playCalls(session.provider, query, [{ callId: query, name: tool, arguments: JSON.stringify({ query }) }])
  return (await takeOutput(session.provider)).output
}

describe('a session on a conversation with files', () => {
  test('receives the file names as a user message and finds the content of present and later files [FILE-11]', async () => {
    const agentId = await service.makeAgent({ systemMessage: 'Be brief.' })
    const name = 'gate <files>.txt'
    const conversationId = await giveFile(agentId, { name, content: 'The gate code is 4711.' })
    const session = await service.speakTo(agentId, { conversationId })
    const frames = await framesSentTo(session)
    expect(toolNames(frames)).toEqual(['search_files'])
    expect((frames[0] as unknown as Update).session.instructions).toBe('Be brief.')
    expect(frames[1]).toMatchObject({
      type: 'conversation.item.create',
      item: { id: 'past_files', type: 'message', role: 'user' },
    })
    expect(JSON.stringify(frames[1])).toContain('The tool search_files searches')
    expect(JSON.stringify(frames[1])).toContain(
      String.raw`<files>\n<file name=\"gate &lt;files&gt;.txt\"/>\n</files>`,
    )
    expect(await search(session, 'gate code')).toContain('The gate code is 4711.')

    await giveFile(
      agentId,
      { name: 'later.txt', content: 'The cellar key is under the mat.' },
      conversationId,
    )
    expect(await search(session, 'cellar key')).toContain('under the mat')
    session.client.socket.close()
  })

  test('includes files that were added between its ticket and its socket [FILE-11]', async () => {
    const agentId = await service.makeAgent()
    const conversationId = await giveFile(agentId, { name: 'notes.txt', content: 'The gate code is 4711.' })
    clock.advance(3601 * 1000)
    const ticket = await service.createTicket(agentId, { conversationId })
    await giveFile(agentId, { name: 'new.txt', content: 'The gate code is 1234.' }, conversationId)
    const session = await service.openSession(ticket)
    const frames = await framesSentTo(session)
    expect(toolNames(frames)).toEqual(['search_files'])
    expect(JSON.stringify(frames)).toContain('new.txt')
    expect(JSON.stringify(frames)).not.toContain('notes.txt')
    expect(await search(session, 'gate code')).toContain('1234')
    session.client.socket.close()
  })

  test("uses the agent's own name for the search tool [FILE-11]", async () => {
    const agentId = await service.makeAgent({
      tools: [{ kind: 'builtin', name: 'look_up', builtin: 'search_files' }],
    })
    const conversationId = await giveFile(agentId, { name: 'notes.txt', content: 'The gate code is 4711.' })
    const session = await service.speakTo(agentId, { conversationId })
    const frames = await framesSentTo(session)
    expect(toolNames(frames)).toEqual(['look_up'])
    expect(JSON.stringify(frames[1])).toContain('The tool look_up searches')
    expect(await search(session, 'gate code', 'look_up')).toContain('4711')
    session.client.socket.close()
  })

  test('leaves the name search_files to a client tool [FILE-11]', async () => {
    const agentId = await service.makeAgent()
    const conversationId = await giveFile(agentId, { name: 'notes.txt', content: 'The gate code is 4711.' })
    const clientTools = [{ name: 'search_files', description: 'Searches the files of this computer.' }]
    const session = await service.speakTo(agentId, { conversationId, clientTools })
    const frames = await framesSentTo(session)
    expect(toolNames(frames)).toEqual(['search_files'])
    expect(JSON.stringify(frames[1])).toContain('notes.txt')
    expect(JSON.stringify(frames[1])).not.toContain('The tool')
    playCalls(session.provider, 'r1', [{ callId: 'c1', name: 'search_files' }])
    await session.client.inbox.takeType('response.done')
    // The call belongs to the client, so the service does not answer it.
    expect(await framesSentTo(session)).not.toContainEqual(
      expect.objectContaining({ item: expect.objectContaining({ type: 'function_call_output' }) }),
    )
    session.client.socket.close()
  })

  test('ignores expired files and files of other conversations [FILE-11]', async () => {
    const agentId = await service.makeAgent()
    const conversationId = await giveFile(agentId, { name: 'notes.txt', content: 'The gate code is 4711.' })
    const other = await service.speakTo(agentId)
    expect(toolNames(await framesSentTo(other))).toEqual([])
    clock.advance(3601 * 1000)
    const session = await service.speakTo(agentId, { conversationId })
    const frames = await framesSentTo(session)
    expect(toolNames(frames)).toEqual([])
    expect(JSON.stringify(frames)).not.toContain('notes.txt')
    for (const { client } of [session, other]) client.socket.close()
  })
})
