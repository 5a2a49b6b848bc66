import { afterAll, describe, expect, test } from 'vitest'
import { ask } from '../../support/questions/ask.js'
import { endedTurn, messagesSentTo, useQuestionService } from '../../support/questions/question-service.js'
import { messagesOf } from '../../support/realtime/spoken-turns.js'
import { playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import { approvalsOf, decide, refundTool, takeQuestion } from '../../support/realtime/waiting-calls.js'
import { useMcp } from '../../support/tools/mcp-servers.js'

const service = useQuestionService()
const mcp = useMcp(afterAll)

/** A tool that accepts any object, so that only the text of its arguments can be invalid. */
const openTool = (extra: object = {}) =>
  refundTool(service.tools, { parameters: { type: 'object', properties: {} }, ...extra })

const ambiguous = [
  ['a repeated key', '{"to":"alice","to":"mallory","amount":1}', 'the key "to" twice'],
  ['an escaped repeated key', '{"to":"\\u0061lice","\\u0074o":"mallory"}', 'the key "to" twice'],
  ['an integer beyond 2^53', '{"id":12345678901234567891}', 'The number 12345678901234567891 cannot'],
  ['a number beyond the range of doubles', '{"amount":1e400}', 'The number 1e400 cannot'],
] as const

describe.each([true, false])('a call of a tool with approvalRequired %s', (approvalRequired) => {
  test.each(ambiguous)(
    'fails in text with an explanation and without approval for %s [TOOL-30]',
    async (_, given, problem) => {
      const agentId = await service.makeAgent({ tools: [openTool({ approvalRequired })] })
      service.model.answer(
        { calls: [{ id: 'call_a', name: 'refund', arguments: given }] },
        { text: 'Sorry.' },
      )
      const { status, body } = await ask(service.running, agentId, { question: 'Money back!' })
      expect(status).toBe(200)
      expect(body.toolInvocations).toMatchObject([{ status: 2, content: expect.stringContaining(problem) }])
      expect(messagesSentTo(service.model).at(-1)?.content).toContain(problem)
      expect(await approvalsOf(service.running.client, body.conversationId)).toEqual([])
      expect(service.tools.requests).toEqual([])
    },
  )

  test.each(ambiguous)(
    'fails in voice with an explanation and without approval for %s [TOOL-30]',
    async (_, given, problem) => {
      const agentId = await service.makeAgent({ tools: [openTool({ approvalRequired })] })
      const session = await service.speakTo(agentId)
      playCalls(session.provider, 'resp_1', [{ callId: 'call_a', name: 'refund', arguments: given }])
      expect((await takeOutput(session.provider)).output).toContain(problem)
      expect(await session.client.inbox.takeType('response.function_invocation.start')).toMatchObject({
        data: { approvalRequired: false },
      })
      expect(await approvalsOf(service.running.client, session.ticket.conversationId)).toEqual([])
      expect(service.tools.requests).toEqual([])
      session.client.socket.close()
    },
  )
})

const spelled = '{ "to" : "\\u0061lice",\n"__proto__": {"x": 1}, "2": 1.50, "1": [ ] }'
const canonical = '{"1":[],"2":1.5,"to":"alice","__proto__":{"x":1}}'

test('an approved call in text sends the arguments that were shown, stored and listed [TOOL-30]', async () => {
  const agentId = await service.makeAgent({ tools: [openTool()] })
  service.model.answer({ calls: [{ id: 'call_a', name: 'refund', arguments: spelled }] })
  const { body } = await ask(service.running, agentId, { question: 'Money back!' })
  expect(body.approvals).toMatchObject([{ arguments: canonical }])
  expect(body.toolInvocations).toMatchObject([{ arguments: canonical }])
  expect(await approvalsOf(service.running.client, body.conversationId)).toMatchObject([
    { arguments: canonical },
  ])
  const called = service.tools.expect('POST /refund', { body: 'Paid.' })
  service.model.answer({ text: 'Done.' })
  await decide(service.running.client, body.conversationId, 'call_a', 'approve')
  expect((await called).body).toBe(canonical)
  await endedTurn(service.running, body)
})

test('an approved call in voice sends the arguments that the client was shown [TOOL-30]', async () => {
  const agentId = await service.makeAgent({ tools: [openTool()] })
  const session = await service.speakTo(agentId)
  playCalls(session.provider, 'resp_1', [{ callId: 'call_a', name: 'refund', arguments: spelled }])
  const { start } = await takeQuestion(session)
  expect(start).toMatchObject({ data: { arguments: canonical } })
  const called = service.tools.expect('POST /refund', { body: 'Paid.' })
  session.client.send({ type: 'approval.approve', callId: 'call_a' })
  expect((await called).body).toBe(canonical)
  await takeOutput(session.provider)
  const { conversationId } = session.ticket
  expect(await messagesOf(service.running.client, conversationId)).toMatchObject([{ arguments: canonical }])
  session.client.socket.close()
})

test('a call that a later session continues sends the arguments that were shown [TOOL-30]', async () => {
  const agentId = await service.makeAgent({ tools: [openTool()] })
  const former = await service.speakTo(agentId)
  playCalls(former.provider, 'resp_1', [{ callId: 'call_a', name: 'refund', arguments: spelled }])
  await takeQuestion(former)
  former.client.socket.close()
  const { conversationId } = former.ticket
  const next = await service.speakTo(agentId, { conversationId })
  const { start } = await takeQuestion(next)
  expect(start).toMatchObject({ data: { arguments: canonical } })
  const called = service.tools.expect('POST /refund', { body: 'Paid.' })
  next.client.send({ type: 'approval.approve', callId: 'call_a' })
  expect((await called).body).toBe(canonical)
  next.client.socket.close()
})

test('a call of an MCP tool fails with an explanation, and its server is not called [TOOL-30]', async () => {
  const trace = await mcp.trace()
  const server = await mcp.startHttpServer(trace)
  const tool = { kind: 'mcp', name: 'desk', server: { url: server.target.url }, allowedTools: ['echo'] }
  const agentId = await service.makeAgent({ tools: [tool] })
  const given = '{"value":"alice","value":"mallory"}'
  service.model.answer(
    { calls: [{ id: 'call_a', name: 'desk__echo', arguments: given }] },
    { text: 'Sorry.' },
  )
  const { body } = await ask(service.running, agentId, { question: 'Say it.' })
  expect(body.toolInvocations).toMatchObject([
    { status: 2, content: expect.stringContaining('"value" twice') },
  ])
  expect((await trace.lines()).filter((line) => line.includes('alice') || line.includes('mallory'))).toEqual(
    [],
  )
})

describe('a call with 24 MiB of arguments', () => {
  const mebibyte = 'x'.repeat(1024 * 1024)
  const problem = 'The arguments are too long. The limit is 1048576 characters, both for one call'

  test('fails with an explanation in text, and the arguments are not stored [BND-19]', async () => {
    const agentId = await service.makeAgent({ tools: [openTool()] })
    const pieces = ['{"note":"', ...Array.from({ length: 24 }, () => mebibyte), '"}']
    service.model.answer(
      { calls: [{ id: 'call_a', name: 'refund', arguments: pieces }] },
      { text: 'I shall be brief.' },
    )
    const { body } = await ask(service.running, agentId, { question: 'Money back!' })
    expect(body.answer).toBe('I shall be brief.')
    expect(body.toolInvocations).toMatchObject([
      {
        status: 2,
        arguments: expect.stringMatching(/^\[Omitted/),
        content: expect.stringContaining(problem),
      },
    ])
    expect(JSON.stringify(service.model.requests.at(-1)?.body).length).toBeLessThan(10_000)
  })

  test('fails with an explanation in voice, and the arguments are not stored [BND-19]', async () => {
    const agentId = await service.makeAgent({ tools: [openTool()] })
    const session = await service.speakTo(agentId)
    const given = `{"note":"${mebibyte}"}`
    playCalls(session.provider, 'resp_1', [{ callId: 'call_a', name: 'refund', arguments: given }])
    expect((await takeOutput(session.provider)).output).toContain(problem)
    expect(await messagesOf(service.running.client, session.ticket.conversationId)).toMatchObject([
      { status: 2, arguments: expect.stringMatching(/^\[Omitted/) },
    ])
    session.client.socket.close()
  })
})
