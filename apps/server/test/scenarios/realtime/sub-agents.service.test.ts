import { describe, expect, test } from 'vitest'
import { useRefundService } from '../../support/realtime/refund-service.js'
import { customEventsIn, patiently } from '../../support/realtime/spoken-turns.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import {
  makeToolAgent,
  openSessionOf,
  openToolSession,
  playCalls,
  takeOutput,
} from '../../support/realtime/tool-calls.js'
import { customTypes, refundTool } from '../../support/realtime/waiting-calls.js'

const refunds = useRefundService()

const look = (extra: object = {}) =>
  refundTool(refunds.tools, { name: 'look', title: 'Look', approvalRequired: false, ...extra })
const ask = (callId: string, name: string, question = 'Where is it?') => ({
  callId,
  name,
  arguments: JSON.stringify({ question }),
})

describe('a sub-agent', () => {
  test('is a tool of the voice model, is announced, and its answer is the output [SUB-1] [6.3-3]', async () => {
    const subAgentId = await makeTextAgent(refunds.running, refunds.chat, {
      ...{ name: 'Parcel Desk', icon: 'box', iconColor: '#aabbcc', systemMessage: 'You find parcels.' },
      description: 'Knows where parcels are.',
    })
    const agentId = await makeToolAgent(refunds.running, { subAgentIds: [subAgentId] })
    const ticket = await refunds.running.createTicket({}, agentId)
    const client = await refunds.running.connect(ticket.webSocketPath)
    const provider = await refunds.running.provider.accept()
    const { session } = (await provider.inbox.takeType('session.update')) as { session: { tools: object[] } }
    expect(session.tools).toMatchObject([
      {
        type: 'function',
        name: 'ask_parcel_desk',
        description: 'Asks the agent Parcel Desk. Knows where parcels are.',
        parameters: { type: 'object', required: ['question'] },
      },
    ])
    refunds.chat.answer({ text: 'In the hall.' })
    playCalls(provider, 'resp_1', [ask('call_1', 'ask_parcel_desk')])
    expect(await takeOutput(provider)).toEqual({ callId: 'call_1', output: 'In the hall.' })
    await provider.inbox.takeType('response.create')
    expect(await client.inbox.takeType('subagent.done')).toEqual({
      type: 'subagent.done',
      data: { chatbotId: subAgentId },
    })
    expect(customEventsIn(client)).toEqual([
      {
        type: 'subagent.start',
        data: { id: subAgentId, name: 'Parcel Desk', icon: 'box', iconColor: '#aabbcc', callId: 'call_1' },
      },
      { type: 'subagent.done', data: { chatbotId: subAgentId } },
    ])
    expect(await refunds.callMessages(ticket.conversationId)).toMatchObject([
      { role: 'subagent', name: 'ask_parcel_desk', status: 1, content: 'In the hall.' },
    ])
    expect(refunds.chat.requests[0]?.body.messages).toMatchObject([
      { role: 'system', content: 'You find parcels.' },
      { role: 'user', content: 'Where is it?' },
    ])
    client.socket.close()
  })

  test('calls tools in its own name, and the next session receives only its answer [SUB-1]', async () => {
    const subAgentId = await makeTextAgent(refunds.running, refunds.chat, { name: 'Clerk', tools: [look()] })
    const session = await openToolSession(refunds.running, { subAgentIds: [subAgentId] })
    const { client, provider, ticket, agentId } = session
    const called = refunds.tools.expect('POST /refund', { body: 'Shelf 4' })
    refunds.chat.answer(
      { calls: [{ id: 'inner', name: 'look', arguments: { amount: 1 } }] },
      { text: 'On shelf 4.' },
    )
    playCalls(provider, 'resp_1', [ask('call_1', 'ask_clerk')])
    await called
    expect(await takeOutput(provider)).toEqual({ callId: 'call_1', output: 'On shelf 4.' })
    await client.inbox.takeType('subagent.done')
    expect(customTypes(session)).toEqual([
      'subagent.start',
      'response.function_invocation.start',
      'response.function_invocation.done',
      'subagent.done',
    ])
    const [, start, done] = customEventsIn(client)
    expect(start).toMatchObject({ data: { chatbotId: subAgentId, functionName: 'look', title: 'Look' } })
    expect(done).toMatchObject({ data: { chatbotId: subAgentId, status: 1, text: 'Shelf 4' } })
    expect(await refunds.callMessages(ticket.conversationId)).toMatchObject([
      { role: 'subagent', status: 1, content: 'On shelf 4.' },
      { role: 'tool', name: 'look', status: 1, content: 'Shelf 4' },
    ])
    client.socket.close()
    const next = await openSessionOf(refunds.running, agentId, { conversationId: ticket.conversationId })
    const items = [
      (await next.provider.inbox.takeType('conversation.item.create')).item,
      (await next.provider.inbox.takeType('conversation.item.create')).item,
    ]
    expect(items).toMatchObject([
      { type: 'function_call', call_id: 'call_1', name: 'ask_clerk' },
      { type: 'function_call_output', call_id: 'call_1', output: 'On shelf 4.' },
    ])
    next.client.send({ type: 'after.history' })
    expect(await next.provider.inbox.takeJson()).toEqual({ type: 'after.history' })
    next.client.socket.close()
  })

  test('may ask another agent, three levels deep, and each is announced [SUB-1]', async () => {
    const third = await makeTextAgent(refunds.running, refunds.chat, { name: 'Third' })
    const second = await makeTextAgent(refunds.running, refunds.chat, {
      name: 'Second',
      subAgentIds: [third],
    })
    const first = await makeTextAgent(refunds.running, refunds.chat, { name: 'First', subAgentIds: [second] })
    const session = await openToolSession(refunds.running, { subAgentIds: [first] })
    refunds.chat.answer(
      { calls: [{ name: 'ask_second', arguments: { question: 'two?' } }] },
      { calls: [{ name: 'ask_third', arguments: { question: 'three?' } }] },
      { text: 'Three says.' },
      { text: 'Two says.' },
      { text: 'One says.' },
    )
    playCalls(session.provider, 'resp_1', [ask('call_1', 'ask_first', 'one?')])
    expect(await takeOutput(session.provider)).toEqual({ callId: 'call_1', output: 'One says.' })
    await expect
      .poll(() => customEventsIn(session.client).map(({ type, data }) => [type, idIn(data)]), patiently)
      .toEqual([
        ['subagent.start', first],
        ['subagent.start', second],
        ['subagent.start', third],
        ['subagent.done', third],
        ['subagent.done', second],
        ['subagent.done', first],
      ])
    expect(await refunds.callMessages(session.ticket.conversationId)).toMatchObject([
      { role: 'subagent', name: 'ask_first', status: 1, content: 'One says.' },
      { role: 'subagent', name: 'ask_second', status: 1, content: 'Two says.' },
      { role: 'subagent', name: 'ask_third', status: 1, content: 'Three says.' },
    ])
    session.client.socket.close()
  })

  test('returns a failure if its model fails [SUB-2]', async () => {
    const subAgentId = await makeTextAgent(refunds.running, refunds.chat, { name: 'Broken' })
    const session = await openToolSession(refunds.running, { subAgentIds: [subAgentId] })
    refunds.chat.answer({ status: 400, body: { error: { message: 'No such model.' } } })
    playCalls(session.provider, 'resp_1', [ask('call_1', 'ask_broken')])
    const { output } = await takeOutput(session.provider)
    expect(output).toContain('The agent Broken could not answer:')
    await session.client.inbox.takeType('subagent.done')
    expect(await refunds.callMessages(session.ticket.conversationId)).toMatchObject([
      { role: 'subagent', status: 2, content: output },
    ])
    session.client.socket.close()
  })

  test('explains that it has no text model [SUB-2]', async () => {
    const subAgentId = await makeToolAgent(refunds.running, { name: 'Mute' })
    const session = await openToolSession(refunds.running, { subAgentIds: [subAgentId] })
    playCalls(session.provider, 'resp_1', [ask('call_1', 'ask_mute')])
    expect((await takeOutput(session.provider)).output).toContain('The agent Mute cannot answer: Neither')
    session.client.socket.close()
  })

  test('returns a failure after its deletion, and the next session does not offer it [SUB-2]', async () => {
    const subAgentId = await makeTextAgent(refunds.running, refunds.chat, { name: 'Brief' })
    const session = await openToolSession(refunds.running, { subAgentIds: [subAgentId] })
    const { status } = await refunds.running.client.call('DELETE', `/api/v1/Agent/${subAgentId}`)
    expect(status).toBe(204)
    playCalls(session.provider, 'resp_1', [ask('call_1', 'ask_brief')])
    expect(await takeOutput(session.provider)).toEqual({ callId: 'call_1', output: 'The agent was deleted.' })
    await session.client.inbox.takeType('subagent.done')
    expect(await refunds.callMessages(session.ticket.conversationId)).toMatchObject([
      { role: 'subagent', status: 2 },
    ])
    session.client.socket.close()
    const ticket = await refunds.running.createTicket({}, session.agentId)
    const client = await refunds.running.connect(ticket.webSocketPath)
    const provider = await refunds.running.provider.accept()
    expect(await provider.inbox.takeType('session.update')).toMatchObject({ session: { tools: [] } })
    client.socket.close()
  })

  test('is not asked if the call has no question [TOOL-4]', async () => {
    const subAgentId = await makeTextAgent(refunds.running, refunds.chat, { name: 'Patient' })
    const session = await openToolSession(refunds.running, { subAgentIds: [subAgentId] })
    playCalls(session.provider, 'resp_1', [{ callId: 'call_1', name: 'ask_patient', arguments: '{}' }])
    expect((await takeOutput(session.provider)).output).toContain("must have required property 'question'")
    session.client.socket.close()
  })
})

const idIn = (data: object) => ('id' in data ? data.id : 'chatbotId' in data ? data.chatbotId : null)
