import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ScriptedChatServer, startScriptedChatServer } from '../support/scripted-chat-server.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../support/scripted-http-server.js'
import { makeTestClock } from '../support/test-clock.js'
import { makeTestTimers } from '../support/test-timers.js'
import { passTime } from './support/pass-time.js'
import { type RealtimeTestService, startRealtimeService } from './support/realtime-service.js'
import { makeTextAgent } from './support/text-agents.js'
import { openToolSession, playCalls, takeOutput } from './support/tool-calls.js'
import { approvalsOf, callMessages, customTypes, refundTool, takeQuestion } from './support/waiting-calls.js'

const clock = makeTestClock()
const timers = makeTestTimers()
const tooLate = 'The agent did not finish within 300 seconds.'

let running: RealtimeTestService
let tools: ScriptedHttpServer
let chat: ScriptedChatServer

beforeAll(async () => {
  // So long that the sub-agent's own time is over first.
  const env = { PARLEY_REALTIME_APPROVAL_TIMEOUT_SECONDS: '900' }
  running = await startRealtimeService({ clock, timers, env })
  tools = await startScriptedHttpServer()
  chat = await startScriptedChatServer()
})

afterEach(() => {
  tools.verify()
  chat.verify()
})

afterAll(async () => {
  await running.close()
  await tools.close()
  await chat.close()
})

async function openAndAsk() {
  const subAgentId = await makeTextAgent(running, chat, { name: 'Clerk', tools: [refundTool(tools)] })
  const session = await openToolSession(running, { subAgentIds: [subAgentId] })
  playCalls(session.provider, 'resp_1', [
    { callId: 'call_1', name: 'ask_clerk', arguments: '{"question":"Refund?"}' },
  ])
  return session
}

test('[SUB-2] a sub-agent whose model says nothing is given up in time, and the model let go', async () => {
  chat.answer('silence')
  const session = await openAndAsk()
  const request = await chat.nextRequest()
  await passTime({ clock, timers }, 299, session)
  expect(customTypes(session)).toEqual(['subagent.start'])
  await passTime({ clock, timers }, 1, session)
  expect(await takeOutput(session.provider)).toEqual({ callId: 'call_1', output: tooLate })
  await request.closed
  await session.client.inbox.takeType('subagent.done')
  expect(await callMessages(running.client, session.ticket.conversationId)).toMatchObject([
    { role: 'subagent', status: 2, content: tooLate },
  ])
  session.client.socket.close()
})

test('[SUB-2] a sub-agent that waits for a person too long is given up, and nobody can agree any more', async () => {
  chat.answer({ calls: [{ id: 'inner', name: 'refund', arguments: { amount: 5 } }] })
  const session = await openAndAsk()
  const { client, provider, ticket } = session
  await takeQuestion(session)
  await passTime({ clock, timers }, 300, session)
  expect(await takeOutput(provider)).toEqual({ callId: 'call_1', output: tooLate })
  await client.inbox.takeType('subagent.done')
  expect(await approvalsOf(running.client, ticket.conversationId)).toMatchObject([{ state: 'expired' }])
  client.send({ type: 'approval.approve', callId: 'inner' })
  expect(await client.inbox.takeType('error')).toMatchObject({ error: { code: 'approval_not_pending' } })
  expect(await callMessages(running.client, ticket.conversationId)).toMatchObject([
    { role: 'subagent', status: 2 },
    { role: 'tool', status: 2 },
  ])
  client.socket.close()
})
