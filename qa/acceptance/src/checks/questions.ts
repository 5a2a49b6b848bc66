import type { Check } from '../check.js'
import { ask, sharedAgent, skipWithoutModel, timeQuestion } from '../common-agent.js'
import { expectEqual, expectThat } from '../expectations.js'
import { eventually } from '../waiting.js'

const needs = ['agent:write', 'conversation:write', 'question:ask'] as const
const model = { usesModel: true, timeoutSeconds: 90 } as const
const look =
  "the agent's connection (parley doctor, POST /api/v1/Connection/{id}/test), then the log of the request"

export const questionChecks: readonly Check[] = [
  {
    title: 'a question is answered once for each Idempotency-Key',
    needs,
    ...model,
    look,
    async run(visit) {
      const options = { idempotencyKey: `${visit.run.name}-question` }
      const input = { question: 'Hello! Who are you?' }
      const first = await ask(visit, input, options)
      expectEqual([first.status, first.failure], ['completed', null], 'status and failure')
      expectThat((first.answer ?? '') !== '', 'words in the answer', first.answer)
      const second = await ask(visit, input, options)
      expectEqual(
        [second.turnId, second.answer],
        [first.turnId, first.answer],
        'the same turn for the repeated request',
      )
    },
  },
  {
    title: 'an answer comes as a stream of events, from turn.started to response.completed',
    needs,
    ...model,
    look,
    async run(visit) {
      const stream = visit.parley.questions.stream(await sharedAgent(visit), {
        question: 'Hello! Who are you?',
      })
      const types: string[] = []
      let words = ''
      try {
        for await (const event of stream) {
          types.push(event.type)
          if (event.type === 'response.text.delta') words += event.data.delta
        }
      } catch (error) {
        skipWithoutModel(error)
      }
      expectEqual(
        [types[0], types.at(-1)],
        ['turn.started', 'response.completed'],
        'the first and last event',
      )
      expectEqual((await stream.finalAnswer()).answer, words, 'the stored answer with the streamed words')
    },
  },
  {
    title: 'a call that needs approval waits, and runs after it is approved',
    needs: [...needs, 'approval:decide'],
    ...model,
    look: `${look}. A small model may fail to call its tool`,
    async run(visit) {
      const { conversationId, turnId, status, approvals } = await ask(visit, { question: timeQuestion })
      expectEqual(
        [status, approvals.map(({ tool }) => tool)],
        ['waiting_for_approval', ['current_time']],
        'the status and the waiting call',
      )
      const callId = approvals[0]?.callId ?? ''
      await visit.parley.approvals.decide(conversationId, { callId, decision: 'approve' })
      const answer = await eventually(
        () => visit.parley.questions.getTurn(conversationId, turnId),
        (turn) => turn.status === 'completed' || turn.status === 'failed',
        { expected: 'an answer after the approval', withinSeconds: 60, signal: visit.signal },
      )
      expectEqual(
        [answer.status, answer.toolInvocations.map((call) => call.status)],
        ['completed', [1]],
        'the status of the turn and of its call',
      )
    },
  },
]
