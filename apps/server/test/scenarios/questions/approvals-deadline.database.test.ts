import { describe, expect, test } from 'vitest'
import { askStreaming } from '../../support/questions/ask.js'
import {
  messagesSentTo,
  turnOf,
  typesIn,
  useQuestionService,
} from '../../support/questions/question-service.js'
import { approvalsOf, decide, refundTool } from '../../support/realtime/waiting-calls.js'
import { databaseKinds } from '../../support/start-service.js'

describe.each(databaseKinds)('a call without a decision (%s)', (database) => {
  const service = useQuestionService(() => ({
    database,
    env: { PARLEY_REALTIME_APPROVAL_TIMEOUT_SECONDS: '1' },
  }))

  test('expires at its deadline, its model receives an output, and the turn continues [ASK-7]', async () => {
    const agentId = await service.makeAgent({ tools: [refundTool(service.tools)] })
    service.model.answer(
      { calls: [{ id: 'call_a', name: 'refund', arguments: { amount: 5 } }] },
      { text: 'Nobody agreed.' },
    )
    const stream = await askStreaming(service.running, agentId, { question: 'Money back!' })
    const { data: waiting } = await stream.waitFor('approval.waiting')
    expect(waiting.timeoutSeconds).toBe(1)
    await stream.ended
    expect(typesIn(stream).slice(2)).toEqual([
      'response.function_invocation.start',
      'approval.waiting',
      'approval.expired',
      'response.function_invocation.done',
      'response.id',
      'response.completed',
    ])
    const { callId, messageId } = waiting
    expect((await stream.waitFor('approval.expired')).data).toEqual({ callId, messageId })
    expect((await stream.waitFor('response.function_invocation.done')).data).toMatchObject({ status: 2 })
    expect(messagesSentTo(service.model).at(-1)?.content).toMatch(/The call was not approved in time/)
    const turn = (await stream.waitFor('turn.started')).data
    expect(await turnOf(service.running, turn)).toMatchObject({
      answer: 'Nobody agreed.',
      toolInvocations: [{ status: 2 }],
      approvals: [],
    })
    const { client } = service.running
    expect(await approvalsOf(client, turn.conversationId)).toMatchObject([{ state: 'expired' }])
    expect((await decide(client, turn.conversationId, 'call_a', 'approve')).status).toBe(409)
    expect(service.tools.requests).toEqual([])
  })
})
