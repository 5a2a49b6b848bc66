import { operations } from '@parley/contract'
import type { FastifyReply } from 'fastify'
import { DomainError } from '../../../domain/domain-error.js'
import { awaitAnswer } from '../../../domain/questions/await-answer.js'
import { followTurn } from '../../../domain/questions/follow-turn.js'
import { takeQuestion } from '../../../domain/questions/take-question.js'
import { answerSoFar, findTurn, requireFollowable, stopTurn } from '../../../domain/questions/turns.js'
import type { KeptAnswer } from '../../../ports/idempotency-store.js'
import { problemOf } from '../answer/error-reply.js'
import { lastEventIdOf, leftSignal, sendEvents, wantsEvents } from '../answer/event-stream.js'
import { idempotencyKeyOf } from '../answer/idempotent-answer.js'
import type { Services } from '../context.js'
import type { Router } from '../operation-route.js'

export function registerQuestionRoutes({ read, write, respond }: Router, services: Services): void {
  const { clock, questions } = services
  const { timers } = questions

  respond(operations.askAgent, async ({ caller, params, body }, request, reply) => {
    if (services.isDraining())
      throw new DomainError('Unavailable', 'This instance is shutting down. Send the question again.')
    const asked = { caller, agentId: params.agentId, input: body, idempotencyKey: idempotencyKeyOf(request) }
    const taken = await takeQuestion(questions, asked, (refusal) => problemOf(refusal, request.id))
    services.afterChange()
    if ('refusal' in taken) return sendKept(reply, taken.refusal)
    const left = leftSignal(reply)
    if (wantsEvents(request)) return sendEvents(reply, timers, followTurn(questions, taken.turn, 0, left))
    const answer = await awaitAnswer(questions, taken.turn, left)
    const hasEnded = answer.status === 'completed' || answer.status === 'stopped'
    return reply.code(hasEnded ? 200 : 202).send(operations.askAgent.answer?.parse(answer))
  })

  read(operations.getTurn, async ({ caller, params }, stores) =>
    answerSoFar(stores, await findTurn(stores, caller, params.conversationId, params.turnId)),
  )

  respond(operations.followTurn, async ({ caller, params }, request, reply) => {
    const { stores } = services.database
    const lastEventId = lastEventIdOf(request)
    const turn = await findTurn(stores, caller, params.conversationId, params.turnId)
    await requireFollowable(stores, turn, lastEventId)
    return sendEvents(reply, timers, followTurn(questions, turn, lastEventId, leftSignal(reply)))
  })

  write(operations.stopTurn, ({ caller, params }, stores) =>
    stopTurn(stores, clock, caller, params.conversationId, params.turnId),
  )
}

function sendKept(reply: FastifyReply, { status, body }: KeptAnswer): FastifyReply {
  return reply
    .type('application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .code(status)
    .send(body)
}
