import type { TemporaryFile } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePdf, makePng } from '../../support/files/large-files.js'
import { uploaded } from '../../support/files/upload.js'
import { addOrganization } from '../../support/organizations.js'
import { ask } from '../../support/questions/ask.js'
import {
  messagesSentTo,
  type SentMessage,
  useQuestionService,
} from '../../support/questions/question-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const clock = makeTestClock(new Date())
const service = useQuestionService(() => ({
  clock,
  env: { PARLEY_TEMPORARY_FILE_TTL_SECONDS: '3600', PARLEY_CHAT_CONTEXT_TOKENS: '4000' },
}))

const upload = (name: string, content: string | Uint8Array) => uploaded(service.running, { name, content })
const toolNames = (index = -1) =>
  ((service.model.requests.at(index)?.body.tools ?? []) as { function: { name: string } }[]).map(
    (tool) => tool.function.name,
  )

/** Returns a manual of 80 pages about different subjects. Page 57 is about the warranty. */
async function makeManual(): Promise<Buffer> {
  const subjects = ['filters', 'valves', 'hoses', 'pumps', 'lamps', 'belts', 'seals', 'nozzles']
  return makePdf(
    Array.from({ length: 80 }, (_, index) =>
      index + 1 === 57
        ? 'The warranty of the compressor lasts\nseven years after the first start.'
        : Array.from(
            { length: 12 },
            (_line, line) =>
              `Section ${index + 1}.${line}: clean the ${subjects[(index + line) % 8]} with warm water.`,
          ).join('\n'),
    ),
  )
}

describe('a question about files', () => {
  let manual: TemporaryFile

  beforeAll(async () => {
    manual = await upload('manual.pdf', await makeManual())
  })

  test('sends file content apart from the instructions, and later questions know it too [ASK-14]', async () => {
    const agentId = await service.makeAgent({ systemMessage: 'Be brief.' })
    const file = await upload('notes.txt', 'The gate code is 4711.')
    service.model.answer({ text: '4711.' })
    const { status, body } = await ask(service.running, agentId, {
      ...{ question: 'What is the gate code?', fileIds: [file.id, file.id] },
    })
    expect(status).toBe(200)
    const [system, files, question, ...more] = messagesSentTo(service.model)
    expect(more).toEqual([])
    expect(system).toEqual({ role: 'system', content: 'Be brief.' })
    expect(files?.role).toBe('user')
    expect(files?.content).toMatch(/never as instructions[\s\S]*notes\.txt[\s\S]*The gate code is 4711\./)
    expect(question).toEqual({ role: 'user', content: 'What is the gate code?' })
    expect(toolNames()).toEqual(['search_files'])

    service.model.answer({ text: 'Still 4711.' })
    await ask(service.running, agentId, { question: 'And now?', conversationId: body.conversationId })
    expect(JSON.stringify(messagesSentTo(service.model).at(-2))).toContain('The gate code is 4711.')
    expect(messagesSentTo(service.model).at(-1)?.content).toBe('And now?')

    // Another conversation does not know the file.
    service.model.answer({ text: 'No idea.' })
    await ask(service.running, agentId, { question: 'What is the gate code?' })
    expect(JSON.stringify(messagesSentTo(service.model))).not.toContain('4711')
    expect(toolNames()).toEqual([])
  })

  test('sends the matching passage and page of an 80-page file [ASK-14]', async () => {
    const agentId = await service.makeAgent()
    service.model.answer({ text: 'Seven years.' })
    const { body } = await ask(service.running, agentId, {
      ...{ question: 'How long does the warranty of the compressor last?', fileIds: [manual.id] },
    })
    expect(body).toMatchObject({ answer: 'Seven years.', status: 'completed' })
    const [context] = messagesSentTo(service.model)
    const text = String(context?.content)
    expect(text).toMatch(
      /page 57[^<]*>[^<]*The warranty of the compressor lasts\s+seven years after the first start\./,
    )
    // Only a part of the file is sent, because the whole does not fit.
    expect(text.length).toBeLessThan(4000 * 4)
    expect(text).not.toContain('Section 90.3')
  })

  test('lets the model search the files with its own query [ASK-14]', async () => {
    const agentId = await service.makeAgent()
    service.model.answer(
      { calls: [{ id: 'call_a', name: 'search_files', arguments: { query: 'warranty compressor' } }] },
      { text: 'Seven years.' },
    )
    const { body } = await ask(service.running, agentId, { question: 'Any guarantee?', fileIds: [manual.id] })
    expect(body.toolInvocations).toMatchObject([
      { name: 'search_files', status: 1, content: expect.stringMatching(/seven years after the first/) },
    ])
    expect(messagesSentTo(service.model).at(-1)?.content).toMatch(/page 57[\s\S]*seven years after the first/)
  })

  test('shows an image to the model in both API formats [ASK-14]', async () => {
    const png = makePng(2000)
    const file = await upload('picture.png', png)
    const agentId = await service.makeAgent()
    service.model.answer({ text: 'A cat.' })
    const question = 'What is in the picture?'
    await ask(service.running, agentId, { question, fileIds: [file.id] })
    expect(messagesSentTo(service.model).at(-1)?.content).toEqual([
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } },
      { type: 'text', text: question },
    ])

    const connection = await service.running.client.call<{ id: string }>('POST', '/api/v1/Connection', {
      body: {
        ...{ name: 'Other', kind: 'anthropic', baseUrl: service.model.baseUrl, apiKey: 'sk-other' },
        models: { chat: 'another-model' },
      },
    })
    const otherId = await service.makeAgent({ connectionId: connection.body.id })
    service.model.answer({ text: 'A cat.' })
    await ask(service.running, otherId, { question, fileIds: [file.id] })
    expect(messagesSentTo(service.model).at(-1)?.content).toContainEqual({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') },
    })
    expect(JSON.stringify(messagesSentTo(service.model).at(-1)?.content)).toContain(question)
  })

  test.each([
    [400, 'Invalid content type. image_url is only supported by certain models.'],
    [404, 'No endpoints found that support image input'],
    [400, 'gemma is not a multimodal model'],
  ])(
    'is rejected with an explanation if the model cannot read images (%i) [ASK-16] [ASK-14]',
    async (status, message) => {
      const file = await upload('picture.png', makePng(2000))
      const agentId = await service.makeAgent()
      service.model.answer({ status, body: JSON.stringify({ error: { message } }) })
      const question = 'What is in the picture?'
      const answer = await ask(service.running, agentId, { question, fileIds: [file.id] })
      expect(answer.status).toBe(503)
      expect(answer.text).toContain('cannot see pictures. Ask in a conversation without pictures')
    },
  )

  test('makes the demo model quote the file [ASK-14]', { timeout: 60_000 }, async () => {
    const made = await service.running.client.call<{ id: string }>('POST', '/api/v1/Agent', {
      body: { name: 'Librarian', systemMessage: 'You help readers.' },
    })
    const about = (question: string) => ask(service.running, made.body.id, { question, fileIds: [manual.id] })
    const quoted = await about('How long does the warranty of the compressor last?')
    expect(quoted.body.answer).toMatch(/^In manual\.pdf, page 57: ".*seven years/)
    const searched = await about('Search the files for the warranty of the compressor.')
    expect(searched.body.answer).toMatch(/seven years/)
    const picture = await upload('picture.png', makePng(2000))
    const question = 'What is in the picture?'
    const unseen = await ask(service.running, made.body.id, { question, fileIds: [picture.id] })
    expect(unseen.body.answer).toContain('I cannot see pictures.')
  })
})

describe('an unavailable file', () => {
  test('is an error of the question that names it if it is unknown, expired or foreign [ASK-14]', async () => {
    const agentId = await service.makeAgent()
    const good = await upload('good.txt', 'Good.')
    const old = await upload('old.txt', 'Old.')
    const stranger = await addOrganization(service.running)
    const foreign = await uploaded(
      { ...stranger, url: service.running.url },
      { name: 'foreign.txt', content: 'Foreign.' },
    )
    const wrong = async (...fileIds: string[]) => {
      const { status, body } = await ask(service.running, agentId, { question: 'What?', fileIds })
      const { errors } = body as unknown as { errors: { path: string }[] }
      return { status, paths: errors?.map(({ path }) => path) }
    }
    expect(await wrong(good.id, uuid())).toEqual({ status: 400, paths: ['fileIds[1]'] })
    expect(await wrong(foreign.id, good.id)).toEqual({ status: 400, paths: ['fileIds[0]'] })
    expect(await wrong('no-uuid')).toMatchObject({ status: 400 })
    clock.advance(3601 * 1000)
    expect(await wrong(uuid(), old.id)).toEqual({ status: 400, paths: ['fileIds[0]', 'fileIds[1]'] })
    const { body } = await service.running.client.call<{ totalCount: number }>(
      'GET',
      `/api/v1/Conversation?AgentId=${agentId}`,
    )
    expect(body.totalCount).toBe(0)
  })

  test('is dropped from its conversation once it has expired [ASK-14]', async () => {
    const agentId = await service.makeAgent()
    const file = await upload('notes.txt', 'The gate code is 4711.')
    service.model.answer({ text: 'Yes.' })
    const { body } = await ask(service.running, agentId, { question: 'Read it.', fileIds: [file.id] })
    clock.advance(3601 * 1000)
    service.model.answer({ text: 'It is gone.' })
    await ask(service.running, agentId, { question: 'The code?', conversationId: body.conversationId })
    const sent: readonly SentMessage[] = messagesSentTo(service.model)
    expect(sent.map(({ content }) => content)).toEqual(['Read it.', 'Yes.', 'The code?'])
    expect(toolNames()).toEqual([])
  })
})
