import { operations } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DomainError } from '../../../domain/domain-error.js'
import { type AskedQuestion, askQuestion } from '../../../domain/turns/ask-question.js'
import { awaitAnswer, followTurn } from '../../../domain/turns/follow-turn.js'
import {
  answerSoFar,
  findTurn,
  isFollowedToItsEnd,
  requireFollowable,
  stopTurn,
} from '../../../domain/turns/turns.js'
import type { StoredTurnEvent, TurnRecord } from '../../../ports/conversation-stores.js'
import { disconnectSignal, lastEventIdOf, sendEvents, wantsEvents } from '../answer/event-stream.js'
import {
  answerOnce,
  idempotencyKeyOf,
  isRefusal,
  refusalToStore,
  type StoredResponse,
  sendStoredResponse,
} from '../answer/idempotent-answer.js'
import type { Router } from '../operation-route.js'
import type { Services } from '../services.js'

export function registerQuestionRoutes({ read, write, respond }: Router, services: Services): void {
  const { clock, questions } = services
  const { timers } = questions

  respond(operations.askAgent, async ({ params, body }, { caller }, { request, reply }) => {
    if (services.isDraining())
      throw new DomainError('Unavailable', 'This instance is shutting down. Send the question again.', {
        retryAfterSeconds: 1,
      })
    const asked = { caller, agentId: params.agentId, input: body, idempotencyKey: idempotencyKeyOf(request) }
    const once = await askOnce(services, asked, request)
    if (!once.ok) return sendStoredResponse(reply, once.refusal)
    const disconnected = disconnectSignal(reply)
    if (wantsEvents(request))
      return sendEvents(reply, timers, { events: followTurn(questions, once.turn, 0, disconnected), textOf })
    const answer = await awaitAnswer(questions, once.turn, disconnected)
    const hasEnded = answer.status === 'completed' || answer.status === 'stopped'
    return reply.code(hasEnded ? 200 : 202).send(answer)
  })

  read(operations.getTurn, async ({ params }, scope) =>
    answerSoFar(scope.stores, await findTurn(scope, params)),
  )

  respond(operations.followTurn, async ({ params }, { caller }, { request, reply }) => {
    const { stores } = services.database.ownedBy({ organizationId: caller.organizationId, kind: 'follow' })
    const scope = { stores, caller }
    const lastEventId = lastEventIdOf(request)
    const turn = await findTurn(scope, params)
    await requireFollowable(scope.stores, turn, lastEventId)
    // An EventSource reconnects when a stream has ended. A 204 prevents that.
    if (await isFollowedToItsEnd(scope.stores, turn, lastEventId)) return reply.code(204).send()
    const events = followTurn(questions, turn, lastEventId, disconnectSignal(reply))
    return sendEvents(reply, timers, { events, textOf })
  })

  write(operations.stopTurn, ({ params }, scope) => stopTurn(clock, scope, params))
}

const textOf = ({ sequence, event }: StoredTurnEvent) => `id: ${sequence}\ndata: ${event}\n\n`

/** The turn that answers the question, or the stored error for the same question. */
type AskedOnce =
  | { readonly ok: true; readonly turn: TurnRecord }
  | { readonly ok: false; readonly refusal: StoredResponse }

/** The part of a question that is stored under its key. The answer belongs to the turn. */
const StoredTurn = z.object({ turnId: z.string(), conversationId: z.string() })

/** Asks a question once for each Idempotency-Key. A repeated request gets the same turn. */
async function askOnce(
  services: Services,
  asked: AskedQuestion,
  request: FastifyRequest,
): Promise<AskedOnce> {
  const { database, questions } = services
  const { caller, agentId, input, idempotencyKey: key } = asked
  if (key === null) {
    const { committed: turn } = await askQuestion(questions, asked, (store) =>
      database.runFairly({ organizationId: caller.organizationId, kind: 'call' }, () =>
        database.transaction(store),
      ),
    )
    return { ok: true, turn }
  }
  const { organizationId } = caller
  const { operationId } = operations.askAgent
  // Omits empty fields that were added later, so that keys from before they existed still match.
  const { rehearsal, responseSchema, externalUserId, metadata, variables, ...question } = input
  const body = {
    agentId,
    ...question,
    ...(rehearsal !== null && { rehearsal }),
    ...(responseSchema !== null && { responseSchema }),
    ...(externalUserId !== null && { externalUserId }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(Object.keys(variables).length > 0 && { variables }),
  }
  const once = { organizationId, key, operationId, body }
  const { turn, committed: stored } = await askQuestion(questions, asked, (store) =>
    answerOnce(services, once, {
      act: async (stores) => {
        const { id: turnId, conversationId } = await store(stores)
        return { status: 202, body: { turnId, conversationId }, etag: null }
      },
      refuse: (refusal) => refusalToStore(refusal, request.id),
    }),
  )
  if (isRefusal(stored)) return { ok: false, refusal: stored }
  const { stores } = database.ownedBy({ organizationId, kind: 'call' })
  const scope = { stores, caller }
  return { ok: true, turn: turn ?? (await findTurn(scope, StoredTurn.parse(stored.body))) }
}
