import { noCost } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { beforeEach } from 'vitest'
import type { ConversationRecord } from '#server/ports/conversation-stores.js'
import type { ApprovalRecord, ApprovalStore } from '#server/ports/task-stores.js'
import type { DatabaseKind } from '../start-service.js'
import { makeAgent, makeApproval, makeConversation, makeSession } from './records.js'
import { type StoreDatabaseInUse, useStoreDatabase } from './use-store-database.js'

export const now = '2030-01-02T03:04:30.000Z'
export const later = '2030-01-02T03:04:40.000Z'
export const deadline = '2030-01-02T03:09:05.678Z'

export const idsOf = (records: readonly ApprovalRecord[]) => records.map(({ id }) => id)

export const twentyAtOnce = <Result>(run: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: 20 }, (_, index) => run(index)))

export interface ApprovalsInUse {
  readonly opened: StoreDatabaseInUse
  readonly approvals: ApprovalStore
  /** A new conversation for each test. */
  readonly conversation: ConversationRecord
  /** Stores an approval of a call in this conversation, or in `within`. */
  add(fields?: Partial<ApprovalRecord>, within?: ConversationRecord): Promise<ApprovalRecord>
  find(id: string): Promise<ApprovalRecord | null>
  /** Creates a conversation with its own agent. */
  newConversation(): Promise<ConversationRecord>
  newSession(isRunning: boolean): Promise<string>
  /** Creates a text turn, which handles tool calls like a session. */
  newTurn(isRunning: boolean): Promise<string>
}

/** An empty approval store, and the sessions and turns that make calls. */
export function useApprovals(kind: DatabaseKind): ApprovalsInUse {
  const opened = useStoreDatabase(kind)
  let conversation: ConversationRecord

  beforeEach(async () => {
    conversation = await newConversation()
    await opened.database.pool.query('delete from approval')
  })

  async function newConversation(): Promise<ConversationRecord> {
    const { stores, organizationId } = opened
    const agent = makeAgent(organizationId)
    await stores.agents.insert(agent)
    const record = makeConversation(organizationId, agent.id)
    await stores.conversations.insert(record)
    return record
  }

  return {
    opened,
    get approvals() {
      return opened.stores.approvals
    },
    get conversation() {
      return conversation
    },
    async add(fields = {}, within = conversation) {
      const record = makeApproval(within, { deadline, ...fields })
      await opened.stores.approvals.insert(record)
      return record
    },
    find: (id) => opened.stores.approvals.find(opened.organizationId, id),
    newConversation,
    async newSession(isRunning) {
      const over = isRunning ? null : now
      const session = makeSession(conversation, { state: 'consumed', startedAt: now, endedAt: over })
      await opened.stores.realtimeSessions.insert(session)
      return session.id
    },
    async newTurn(isRunning) {
      const { stores, organizationId } = opened
      const { agentId, id: conversationId } = conversation
      const id = uuid()
      await stores.turns.insert({
        ...{ id, organizationId, version: 1, createdAt: now, updatedAt: now, agentId, conversationId },
        ...{ state: isRunning ? 'running' : 'completed', startedAt: now, endedAt: isRunning ? null : now },
        ...{
          question: '',
          fileIds: [],
          additionalInstructions: null,
          responseSchema: null,
          answer: null,
          failure: null,
        },
        ...{ questionMessageId: uuid(), answerMessageId: uuid(), instanceId: uuid() },
        ...{ idempotencyKey: null, stopRequestedAt: null, taskId: null, rehearsal: null, endUserId: null },
        ...{ apiKeyId: null, cost: noCost },
        usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
      })
      return id
    },
  }
}
