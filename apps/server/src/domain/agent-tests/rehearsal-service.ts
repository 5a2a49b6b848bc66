import { fieldErrorsOf, QuestionInput, type TurnEvent } from '@parley/contract'
import type { RehearsalService } from '../../ports/agent-test-engine.js'
import type { TurnRecord } from '../../ports/conversation-stores.js'
import type { Database, Stores } from '../../ports/database.js'
import type { Clock } from '../../ports/time.js'
import type { Caller } from '../caller-scope.js'
import type { Conversations } from '../conversations/conversations.js'
import { DomainError, invalidRequest } from '../domain-error.js'
import type { Approvals } from '../tools/approvals/approvals.js'
import { askQuestion, type Questions } from '../turns/ask-question.js'
import { awaitAnswer, followTurn } from '../turns/follow-turn.js'
import { stopTurn } from '../turns/turns.js'

export interface RehearsalServiceDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly questions: Questions
  readonly approvals: Approvals
  readonly conversations: Conversations
}

/** Lets tests talk to agents as the caller who runs them. Rejects every question that is not a rehearsal. */
export function makeRehearsalService(
  { database, clock, questions, approvals, conversations }: RehearsalServiceDependencies,
  caller: Caller,
): RehearsalService {
  const owned = database.ownedBy({ organizationId: caller.organizationId, kind: 'call' })
  const change = <Result>(work: (stores: Stores) => Promise<Result>) => owned.transaction(work)

  async function ask(agentId: string, body: unknown): Promise<TurnRecord> {
    const parsed = QuestionInput.safeParse(body)
    if (!parsed.success) throw invalidRequest(fieldErrorsOf(parsed.error))
    if (parsed.data.rehearsal === null)
      throw new DomainError('Forbidden', 'Tests can only ask questions in a rehearsal.')
    const asked = { caller, agentId, input: parsed.data, idempotencyKey: null }
    const { committed } = await askQuestion(questions, asked, (store) => change(store))
    return committed
  }

  return {
    questions: {
      ask: async (agentId, body, { signal }) => awaitAnswer(questions, await ask(agentId, body), signal),

      async *stream(agentId, body, { signal }) {
        const turn = await ask(agentId, body)
        for await (const { event } of followTurn(questions, turn, 0, signal))
          yield JSON.parse(event) as TurnEvent
      },

      stopTurn: (conversationId, turnId) =>
        change((stores) => stopTurn(clock, { stores, caller }, { conversationId, turnId })),
    },
    approvals: {
      decide: (conversationId, decision) =>
        change((stores) => approvals.decide({ stores, caller }, conversationId, decision)),
    },
    conversations: {
      delete: (id) => change((stores) => conversations.remove({ stores, caller }, { id, ifMatch: null })),
    },
  }
}
