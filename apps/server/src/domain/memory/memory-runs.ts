import type { AgentRecord } from '../../ports/agent-stores.js'
import type { ChatModels, ChatTarget } from '../../ports/chat-model.js'
import type { ConversationRecord, MessageRecord } from '../../ports/conversation-stores.js'
import type { Database, OwnedDatabase, Stores } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { MemoryPlan } from '../../ports/memory-stores.js'
import type { Cipher } from '../../ports/secrets.js'
import type { Timers } from '../../ports/time.js'
import type { ArgumentChecker } from '../../ports/tool-executor.js'
import { recordChange } from '../audit/record-change.js'
import { systemCaller } from '../caller-scope.js'
import { chatTargetOf } from '../connections/chat-target.js'
import { learnFacts } from '../end-users/end-user-facts.js'
import { dayLimitFor } from '../end-users/end-user-limits.js'
import { idleMilliseconds, remembers } from '../end-users/memory-notes.js'
import { jsonFormat } from '../text-turn/answer-format.js'
import { runTextTurn } from '../text-turn/run-text-turn.js'
import { requireBudget } from '../usage/budgets/reserve-budget.js'
import { countUseAlone, type UseDependencies } from '../usage/count-use.js'
import type { ModelUse } from '../usage/model-use.js'
import { UseCounter } from '../usage/use-counter.js'
import { acceptedFacts, type FactAnswer, factSchema, promptFor, wordsIn } from './extract-facts.js'

export interface MemoryRunsDependencies extends UseDependencies {
  readonly database: Database
  readonly timers: Timers
  readonly log: Log
  readonly cipher: Cipher
  readonly models: ChatModels
  readonly argumentChecker: ArgumentChecker
}

const maxAttempts = 3
const maxConcurrent = 4
const maxMessages = 200
const maxKnownFacts = 50
const maxOutputTokens = 4000
const stepTimeoutMilliseconds = 60_000
/** After this time, another instance may repeat an attempt that has not ended. */
const claimMilliseconds = 10 * 60_000
/** Several messages can have the same time. All of them were read. */
const lastCounter = 2_147_483_647

/** A conversation whose facts can be extracted now. */
interface ReadConversation {
  readonly conversation: ConversationRecord & { readonly endUserId: string }
  readonly agent: AgentRecord
  readonly target: ChatTarget
  readonly messages: readonly MessageRecord[]
}

/**
 * Extracts facts about end users from conversations that have ended. A plan is claimed for each attempt, so
 * that an attempt of a stopped instance is repeated. Facts and the end of the attempt are stored together.
 *
 *   planned ──due──► claimed ──facts stored──► settled ──next message──► planned
 *      ▲               │
 *      └──busy, failed─┘  (after three failures: settled)
 */
export class MemoryRuns {
  readonly #dependencies: MemoryRunsDependencies
  readonly #stopping = new AbortController()

  constructor(dependencies: MemoryRunsDependencies) {
    this.#dependencies = dependencies
  }

  /** Cancels running extractions. They are repeated by other instances or after the next start. */
  stop(): void {
    this.#stopping.abort()
  }

  /** Extracts facts from all conversations that are due. Organizations take turns. */
  async poll(): Promise<void> {
    const { memoryPlans } = this.#dependencies.database.stores
    while (!this.#stopping.signal.aborted) {
      const due = await memoryPlans.due(this.#in(0), maxConcurrent)
      const claims = await Promise.all(due.map((plan) => this.#claim(plan)))
      // Without any claim, the next poll tries again.
      if (!claims.includes(true)) return
    }
  }

  /** Returns whether this instance has dealt with the plan. */
  async #claim(due: MemoryPlan): Promise<boolean> {
    const { database, log } = this.#dependencies
    const { organizationId, conversationId } = due
    try {
      const owned = database.ownedBy({ organizationId, kind: 'log' })
      const plan = await owned.stores.memoryPlans.claim(due, this.#in(claimMilliseconds))
      if (plan !== null) await this.#run(owned, plan, due.attempts)
      return plan !== null
    } catch (error) {
      log.warn({ err: error, conversationId }, 'facts could not be extracted')
      return false
    }
  }

  async #run(database: OwnedDatabase, plan: MemoryPlan, attempts: number): Promise<void> {
    const { memoryPlans } = database.stores
    const again = await this.#busyUntil(database.stores, plan)
    if (again !== null) return memoryPlans.settle(plan, { ...plan, dueAt: again, attempts })
    const read = plan.attempts > maxAttempts ? null : await this.#read(database.stores, plan)
    if (read === null) return memoryPlans.settle(plan, { ...plan, dueAt: null, attempts: 0 })
    const outcome = await this.#extract(database, read)
    if (outcome.kind === 'aborted') return memoryPlans.settle(plan, { ...plan, dueAt: this.#in(0), attempts })
    if (outcome.kind === 'failed') return this.#fail(database.stores, plan, outcome.detail)
    await database.transaction((stores) => this.#store(stores, plan, read, outcome.texts))
  }

  /** Returns when to look again at a conversation that has not ended, or null if it has. */
  async #busyUntil(stores: Stores, { conversationId, organizationId }: MemoryPlan): Promise<string | null> {
    if (await stores.memoryPlans.isBusy(conversationId)) return this.#in(idleMilliseconds)
    const conversation = await stores.conversations.find(organizationId, conversationId)
    const lastMessageAt = Date.parse(conversation?.lastMessageAt ?? '')
    const idleAt = lastMessageAt + idleMilliseconds
    return idleAt > this.#dependencies.clock.now().getTime() ? new Date(idleAt).toISOString() : null
  }

  /** Returns null if the conversation needs no extraction. */
  async #read(stores: Stores, plan: MemoryPlan): Promise<ReadConversation | null> {
    const { conversationId, organizationId, throughMicroseconds } = plan
    const conversation = await stores.conversations.find(organizationId, conversationId)
    if (conversation === null || conversation.rehearsal || conversation.endUserId === null) return null
    const { endUserId } = conversation
    const agent = await stores.agents.find(organizationId, conversation.agentId)
    if (agent === null || !remembers(agent, endUserId)) return null
    const found = await chatTargetOf(this.#dependencies.cipher, stores, agent)
    // The built-in model cannot extract facts.
    if (!found.ok || found.target.kind === 'embedded') return null
    const through = { microseconds: throughMicroseconds, counter: lastCounter }
    const messages = await stores.conversations.recentMessages(conversationId, maxMessages, through)
    if (!wordsIn(messages).some(({ role }) => role === 'user')) return null
    return { conversation: { ...conversation, endUserId }, agent, target: found.target, messages }
  }

  async #extract(
    database: OwnedDatabase,
    { conversation, agent, target, messages }: ReadConversation,
  ): Promise<
    | { readonly kind: 'extracted'; readonly texts: readonly string[] }
    | { readonly kind: 'failed'; readonly detail: string }
    | { readonly kind: 'aborted' }
  > {
    const { models, argumentChecker } = this.#dependencies
    const { organizationId, id: conversationId, endUserId } = conversation
    const apiKeyId = null
    const account = { sourceId: conversationId, channel: 'text', rehearsal: false } as const
    // An erasure leaves no trace of the end user in the usage, so nothing may be counted for them after it.
    const countUse = async (use: ModelUse) => {
      const endUser = await database.stores.endUsers.find(organizationId, endUserId)
      return countUseAlone(this.#dependencies, {
        ...use,
        account: { ...use.account, endUserId: endUser?.erasureStartedAt === null ? endUserId : null },
      })
    }
    const uses = new UseCounter(
      this.#dependencies,
      { countUse },
      { ...account, organizationId, apiKeyId, endUserId },
    )
    const work = { organizationId, agentId: agent.id, apiKeyId }
    const refused = await requireBudget(this.#dependencies, database.stores, work).catch(
      (error: Error) => error,
    )
    if (refused instanceof Error) return { kind: 'failed', detail: refused.message }
    uses.limitBy(dayLimitFor(agent, endUserId))
    await uses.checkDay(database)
    const remembered = { endUserId, agentId: agent.id }
    const known = await database.stores.endUserFacts.newest(remembered, maxKnownFacts)
    const words = wordsIn(messages)
    const outcome = await runTextTurn({
      models,
      target,
      messages: promptFor(
        words,
        known.map(({ text }) => text),
      ),
      tools: [],
      callTool: async () => '',
      format: jsonFormat(argumentChecker, organizationId, factSchema),
      maxOutputTokens,
      steps: uses.stepsOf({ agentId: agent.id, target }),
      stepTimeoutMilliseconds,
      signal: this.#stopping.signal,
    })
    if (outcome.kind === 'aborted') return outcome
    if (outcome.kind !== 'answered') return { kind: 'failed', detail: outcome.detail }
    return { kind: 'extracted', texts: acceptedFacts(JSON.parse(outcome.text) as FactAnswer, words) }
  }

  async #store(
    stores: Stores,
    plan: MemoryPlan,
    { conversation, agent, messages }: ReadConversation,
    texts: readonly string[],
  ): Promise<void> {
    const { clock } = this.#dependencies
    const { organizationId, endUserId, id: conversationId } = conversation
    // Another instance has repeated the attempt.
    if (!(await stores.memoryPlans.lockClaimed(plan))) return
    const current = await stores.conversations.find(organizationId, conversationId)
    if (current === null) return
    const learned = { organizationId, conversationId, endUserId, agentId: agent.id, texts }
    const added = texts.length === 0 ? 0 : await learnFacts(clock, stores, learned)
    const details = { agentId: agent.id, conversationId, added }
    const scope = { stores, caller: systemCaller(organizationId) }
    const change = { action: 'end_user.remember', type: 'EndUser', id: endUserId, details }
    if (texts.length > 0) await recordChange(clock, scope, change)
    // Messages that arrived during the extraction did not plan another one.
    const hasChanged =
      current.lastMessageAt !== conversation.lastMessageAt ||
      (await stores.memoryPlans.isBusy(conversationId))
    await stores.memoryPlans.settle(plan, {
      dueAt: hasChanged ? this.#in(idleMilliseconds) : null,
      attempts: 0,
      throughMicroseconds: messages.at(-1)?.positionMicroseconds ?? plan.throughMicroseconds,
    })
  }

  /** After the last attempt, nothing is planned until the next message. */
  async #fail(stores: Stores, plan: MemoryPlan, detail: string): Promise<void> {
    const { conversationId, attempts } = plan
    this.#dependencies.log.warn({ conversationId, attempts, detail }, 'facts could not be extracted')
    const isOver = attempts >= maxAttempts
    const dueAt = isOver ? null : this.#in(claimMilliseconds * attempts)
    await stores.memoryPlans.settle(plan, { ...plan, dueAt, attempts: isOver ? 0 : attempts })
  }

  #in(milliseconds: number): string {
    return new Date(this.#dependencies.clock.now().getTime() + milliseconds).toISOString()
  }
}
