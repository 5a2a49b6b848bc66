import { operations, type QuestionInput } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../../domain/access/caller.js'
import { DomainError } from '../../../domain/domain-error.js'
import { answerOnce } from '../../../domain/idempotency/answer-once.js'
import { acceptQuestion } from '../../../domain/questions/accept-question.js'
import { awaitAnswer } from '../../../domain/questions/await-answer.js'
import { followTurn } from '../../../domain/questions/follow-turn.js'
import { answerSoFar, findTurn, requireFollowable, stopTurn } from '../../../domain/questions/turns.js'
import type { KeptAnswer } from '../../../ports/idempotency-store.js'
import type { TurnRecord } from '../../../ports/turn-store.js'
import type { Services } from '../context.js'
import { problemOf } from '../error-reply.js'
import { lastEventIdOf, leftSignal, sendEvents, wantsEvents } from '../event-stream.js'
import { idempotencyKeyOf } from '../idempotent-answer.js'
import type { Router } from '../operation-route.js'

export function registerQuestionRoutes({ read, write, respond }: Router, services: Services): void {
  const { clock, questions } = services
  const { timers } = questions

  respond(operations.askAgent, async ({ caller, params, body }, request, reply) => {
    if (services.isDraining())
      throw new DomainError('Unavailable', 'This instance is shutting down. Send the question again.')
    const taking = takeQuestion(services, caller, params.agentId, body, request)
    questions.running.expect(taking)
    const taken = await taking
    if ('problem' in taken) return sendKept(reply, taken.problem)
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

type Taken = { readonly turn: TurnRecord } | { readonly problem: KeptAnswer }

/** Takes the question, once for each Idempotency-Key: who asks again under the same key gets the same turn. */
async function takeQuestion(
  services: Services,
  caller: Caller,
  agentId: string,
  input: QuestionInput,
  request: FastifyRequest,
): Promise<Taken> {
  const { database, clock, questions } = services
  const key = idempotencyKeyOf(request)
  let fresh: TurnRecord | null = null
  const accept = async (stores: typeof database.stores) => {
    fresh = await acceptQuestion(stores, questions, caller, agentId, input, key)
    return fresh
  }
  const letGo = (error: unknown): never => {
    // Nobody knows whether a commit that was never answered took place; if it did, the question is answered.
    if (fresh && !(error instanceof DomainError)) questions.running.take(fresh)
    throw error
  }
  if (key === null) {
    const turn = await database.transaction(accept).catch(letGo)
    questions.running.take(turn)
    services.afterChange()
    return { turn }
  }
  const { operationId } = operations.askAgent
  const { organizationId } = caller
  const kept = await answerOnce(
    database,
    clock,
    { organizationId, key, operationId, body: { agentId, ...input } },
    async (stores) => {
      const { id: turnId, conversationId } = await accept(stores)
      return { status: 202, body: { turnId, conversationId }, etag: null }
    },
    (refusal) => ({ status: refusal.status, body: problemOf(refusal, request.id), etag: null }),
  ).catch(letGo)
  if (kept.status >= 400) return { problem: kept }
  const { turnId, conversationId } = kept.body as { turnId: string; conversationId: string }
  // What this request has put in, and did not find, is answered here.
  const isFresh = (fresh as TurnRecord | null)?.id === turnId
  if (isFresh && fresh) questions.running.take(fresh)
  services.afterChange()
  return { turn: fresh && isFresh ? fresh : await findTurn(database.stores, caller, conversationId, turnId) }
}

function sendKept(reply: FastifyReply, { status, body }: KeptAnswer): FastifyReply {
  return reply
    .type('application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .code(status)
    .send(body)
}
