import { describe, expect, test } from 'vitest'
import { ask, askStreaming } from '../../support/questions/ask.js'
import {
  endedTurn,
  messagesSentTo,
  type SentMessage,
  useQuestionService,
} from '../../support/questions/question-service.js'
import { endedSession } from '../../support/realtime/spoken-turns.js'
import type { ScriptedChatAnswer } from '../../support/scripted-chat-server.js'

// Half of this budget is for the history: 2000 characters.
const questionService = useQuestionService(() => ({ env: { PARLEY_CHAT_CONTEXT_TOKENS: '1000' } }))

const filler = ' And so on.'.repeat(44)
const textsOf = (messages: readonly SentMessage[]) => messages.map(({ content }) => String(content).trim())
const summaryMessage = (about: string) => `Summary of the earlier conversation:\n${about}`

/** Asks a long question. The model gives these answers in their order. */
async function askLongQuestion(
  agentId: string,
  conversationId: string | null,
  question: string,
  ...answers: readonly ScriptedChatAnswer[]
) {
  questionService.model.answer(...answers)
  const body = { question, ...(conversationId !== null && { conversationId }) }
  const answer = await ask(questionService.running, agentId, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

/** Holds a conversation of four turns. With the next question, the history no longer fits. */
async function fillHistory(agentId: string): Promise<string> {
  let conversationId: string | null = null
  for (const number of [1, 2, 3, 4]) {
    const { conversationId: id } = await askLongQuestion(
      agentId,
      conversationId,
      `Fact ${number}.${filler}`,
      {
        text: `Noted ${number}.`,
      },
    )
    conversationId = id
  }
  expect(questionService.model.requests).toHaveLength(4)
  return conversationId ?? ''
}

describe('a conversation that has become too long', () => {
  test('is summarized once by the same model, and later turns use and extend the summary [MEM-2]', async () => {
    const agentId = await questionService.makeAgent({ systemMessage: 'Be brief.' })
    const conversationId = await fillHistory(agentId)
    const fifth = await askLongQuestion(
      agentId,
      conversationId,
      `Fact 5.${filler}`,
      { text: 'Facts 1 and 2 are known.', usage: { inputTokens: 500, outputTokens: 50 } },
      { text: 'Noted 5.', usage: { inputTokens: 7, outputTokens: 3 } },
    )
    expect(fifth.answer).toBe('Noted 5.')
    // The usage of the summary is part of the answer's usage.
    expect(fifth.usage).toMatchObject({ inputTokens: 507, outputTokens: 53 })
    const summarized = questionService.model.requests[4]
    expect(summarized?.body).not.toHaveProperty('tools')
    expect(summarized?.body.model).toBe(questionService.model.requests[5]?.body.model)
    const [, wanted] = textsOf(messagesSentTo(questionService.model, 4))
    expect(wanted).toMatch(/The summary so far:\n\(none\)[\s\S]*User: Fact 1\.[\s\S]*Assistant: Noted 1\./)
    expect(wanted).not.toContain('Fact 5')
    const [instructions, ...newest] = textsOf(messagesSentTo(questionService.model, 5))
    expect(instructions).toBe(`Be brief.\n\n${summaryMessage('Facts 1 and 2 are known.')}`)
    // Summarized messages are not sent again, and sent messages were not summarized.
    const first = Number(/Fact (\d)|Noted (\d)/.exec(newest.join())?.slice(1).find(Boolean))
    expect(wanted).toContain(`Noted ${first - 1}.`)
    expect(newest.at(-1)).toContain('Fact 5.')

    await askLongQuestion(agentId, conversationId, 'Short.', { text: 'Noted 6.' })
    expect(questionService.model.requests).toHaveLength(7)
    expect(textsOf(messagesSentTo(questionService.model))[0]).toContain('Facts 1 and 2 are known.')

    const begun = questionService.model.requests.length
    await askLongQuestion(agentId, conversationId, `Fact 7.${filler}`, { text: 'Noted 7.' })
    await askLongQuestion(agentId, conversationId, `Fact 8.${filler}`, { text: 'Noted 8.' })
    expect(questionService.model.requests).toHaveLength(begun + 2)
    await askLongQuestion(
      agentId,
      conversationId,
      `Fact 9.${filler}`,
      { text: 'Facts 1 to 7\0 are known.' },
      { text: 'Noted 9.' },
    )
    expect(textsOf(messagesSentTo(questionService.model, -2))[1]).toContain(
      'The summary so far:\nFacts 1 and 2 are known.\n\nThe messages since then:\n',
    )
    await askLongQuestion(agentId, conversationId, 'Short.', { text: 'Noted 10.' })
    expect(textsOf(messagesSentTo(questionService.model))[0]).toContain(
      summaryMessage('Facts 1 to 7 are known.'),
    )
  })

  test('is replayed to a session with its summary first [MEM-2]', async () => {
    const agentId = await questionService.makeAgent()
    const conversationId = await fillHistory(agentId)
    await askLongQuestion(agentId, conversationId, 'And now?', { text: 'Facts are known.' }, { text: 'Now.' })
    const { client, provider } = await questionService.speakTo(agentId, { conversationId })
    const item = async () => (await provider.inbox.takeType('conversation.item.create')).item
    expect(await item()).toMatchObject({
      type: 'message',
      role: 'system',
      content: [{ type: 'input_text', text: summaryMessage('Facts are known.') }],
    })
    expect(await item()).toMatchObject({ role: 'user', content: [{ type: 'input_text' }] })
    client.socket.close()
    await endedSession(questionService.running.client, conversationId)
  })

  test('is answered without its older part if the summary fails, and the next turn tries again [MEM-2]', async () => {
    const agentId = await questionService.makeAgent()
    const conversationId = await fillHistory(agentId)
    const refused = { status: 400, body: { error: { message: 'Not today.' } } }
    const { answer } = await askLongQuestion(agentId, conversationId, `Fact 5.${filler}`, refused, {
      text: 'Noted 5.',
    })
    expect(answer).toBe('Noted 5.')
    const newest = textsOf(messagesSentTo(questionService.model)).join('\n')
    expect(newest).not.toContain('Fact 1.')
    expect(newest).toMatch(/Fact 4\.[\s\S]*Noted 4\.[\s\S]*Fact 5\./)
    expect(newest).not.toContain('few words')
    await askLongQuestion(agentId, conversationId, 'And now?', { text: ' ' }, { text: 'Now.' })
    expect(textsOf(messagesSentTo(questionService.model)).join('\n')).not.toContain('few words')
    // By now the text is too long for one request.
    const parts = [{ text: 'Some facts.' }, { text: 'Facts are known.' }]
    await askLongQuestion(agentId, conversationId, 'And then?', ...parts, { text: 'Then.' })
    expect(textsOf(messagesSentTo(questionService.model, -2))[1]).toContain(
      'The summary so far:\nSome facts.\n',
    )
    expect(textsOf(messagesSentTo(questionService.model))[0]).toBe(summaryMessage('Facts are known.'))
  })

  test('can consist of one long message, which is sent while it is the newest and then summarized [MEM-2]', async () => {
    const agentId = await questionService.makeAgent()
    const long = `The code is 4711.${' Bla.'.repeat(3000)}`
    const { conversationId } = await askLongQuestion(agentId, null, long, { text: 'Noted.' })
    expect(messagesSentTo(questionService.model).at(-1)?.content).toBe(long)
    await askLongQuestion(
      agentId,
      conversationId,
      'What is it?',
      { text: 'The code is 4711.' },
      { text: '4711.' },
    )
    expect(textsOf(messagesSentTo(questionService.model, -2))[1]).toContain('User: The code is 4711. Bla.')
    expect(textsOf(messagesSentTo(questionService.model))).toEqual([
      summaryMessage('The code is 4711.'),
      'Noted.',
      'What is it?',
    ])
  })

  test('is answered by the demo model without its older part [MEM-2]', async () => {
    const made = await questionService.running.client.call<{ id: string }>('POST', '/api/v1/Agent', {
      body: { name: 'Offline' },
    })
    let conversationId: string | null = null
    for (const number of [1, 2, 3, 4, 5, 6]) {
      const body = {
        question: `Fact ${number}.${filler}`,
        ...(conversationId !== null && { conversationId }),
      }
      const answer = await ask(questionService.running, made.body.id, body)
      expect(answer.body.status, answer.text).toBe('completed')
      conversationId = answer.body.conversationId
    }
    const { conversations } = questionService.running.service.database.stores
    expect(await conversations.findSummary(conversationId ?? '')).toBeNull()
  })

  test('can be stopped while it is summarized [ASK-5] [MEM-2]', async () => {
    const agentId = await questionService.makeAgent()
    const conversationId = await fillHistory(agentId)
    for (let count = 0; count < 4; count += 1) await questionService.model.nextRequest()
    questionService.model.answer('silence')
    const stream = await askStreaming(questionService.running, agentId, {
      conversationId,
      question: 'And now?',
    })
    const { closed } = await questionService.model.nextRequest()
    const turn = (await stream.waitFor('turn.started')).data
    const path = `/api/v1/Conversation/${conversationId}/turn/${turn.turnId}`
    expect((await questionService.running.client.call('DELETE', path)).status).toBe(204)
    await closed
    await stream.ended
    expect(await endedTurn(questionService.running, turn)).toMatchObject({ status: 'stopped', answer: '' })
  })

  test('leaves no summary if it is deleted during summarization [MEM-2]', async () => {
    const agentId = await questionService.makeAgent()
    const conversationId = await fillHistory(agentId)
    for (let count = 0; count < 4; count += 1) await questionService.model.nextRequest()
    let goOn: (value?: unknown) => void = () => undefined
    const wait = new Promise((resolve) => {
      goOn = resolve
    })
    questionService.model.answer({ text: ['Facts are ', wait, 'known.'] })
    const stream = await askStreaming(questionService.running, agentId, {
      conversationId,
      question: 'And now?',
    })
    await questionService.model.nextRequest()
    const { client, service } = questionService.running
    // The answering instance notices the stop when it polls, so the summary may come first.
    expect((await client.call('DELETE', `/api/v1/Conversation/${conversationId}`)).status).toBe(204)
    goOn()
    await stream.ended
    expect(await service.database.stores.conversations.findSummary(conversationId)).toBeNull()
  })
})
