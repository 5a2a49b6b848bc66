import type { ChatMessage, ChatModels, ChatTarget, ChatUsage } from '../../ports/chat-model.js'
import { noUsage } from '../../ports/chat-model.js'
import type { Clock } from '../../ports/clock.js'
import type { ConversationSummary, MessageRecord } from '../../ports/conversation-store.js'
import type { Database } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import { storable } from '../storable-text.js'
import { summarize } from './summarize.js'
import { toldCharacters, toldMessages } from './told-messages.js'

/** More than this is not read, whatever the budget. */
const maxMessages = 1000

export interface RecallDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly models: ChatModels
}

export interface RecallRequest {
  readonly conversationId: string
  /** The question itself: it is told apart from what came before. */
  readonly exceptMessageId: string
  readonly target: ChatTarget
  readonly budgetCharacters: number
  readonly signal: AbortSignal
}

export interface Recalled {
  /** What was said longer ago, in few words. */
  readonly summary: string | null
  readonly messages: readonly ChatMessage[]
  /** What it took to remember. */
  readonly usage: ChatUsage
}

/**
 * What a text model is told of the conversation so far: the newest messages that fit, and of the older ones a summary,
 * which the same model writes when they do not fit any more, and which is kept.
 */
export async function recall(dependencies: RecallDependencies, request: RecallRequest): Promise<Recalled> {
  const { conversations } = dependencies.database.stores
  const { conversationId, budgetCharacters } = request
  const summary = await conversations.findSummary(conversationId)
  const recent = await conversations.recentMessages(conversationId, maxMessages, summary?.through)
  const messages = recent.filter(({ id }) => id !== request.exceptMessageId)
  if (charactersOf(messages) <= budgetCharacters) return recalled(summary?.content ?? null, messages, noUsage)

  // Half of the room stays free, so that the next turns need no summary again.
  const kept = newestThatFit(messages, budgetCharacters / 2)
  const older = messages.slice(0, messages.length - kept.length)
  const { content, usage } = await summarizeOlder(dependencies, request, summary, older)
  if (content === null)
    return recalled(summary?.content ?? null, newestThatFit(messages, budgetCharacters), usage)
  return recalled(content, kept, usage)
}

async function summarizeOlder(
  { database, clock, log, models }: RecallDependencies,
  { conversationId, target, budgetCharacters, signal }: RecallRequest,
  summary: ConversationSummary | null,
  older: readonly MessageRecord[],
): Promise<{ readonly content: string | null; readonly usage: ChatUsage }> {
  const last = older.at(-1)
  // The offline model summarizes nothing; it looks at what it is told and forgets the rest.
  if (last === undefined || target.kind === 'embedded') return { content: null, usage: noUsage }
  const { content, usage, problem } = await summarize(
    models,
    { target, pieceCharacters: budgetCharacters, signal },
    summary?.content ?? null,
    older,
  )
  if (content === null) {
    log.warn(
      { conversationId, problem },
      'a conversation could not be summarized; its older part is left out',
    )
    return { content, usage }
  }
  const through = { microseconds: last.positionMicroseconds, counter: last.positionCounter }
  const kept = { content: storable(content), through }
  await database.transaction(async (stores) => {
    // Of a conversation that was deleted meanwhile nothing is kept.
    if (await stores.conversations.lock(conversationId))
      await stores.conversations.saveSummary(conversationId, kept, clock.now().toISOString())
  })
  return { content, usage }
}

function recalled(summary: string | null, messages: readonly MessageRecord[], usage: ChatUsage): Recalled {
  return { summary, messages: messages.flatMap(toldMessages), usage }
}

function charactersOf(messages: readonly MessageRecord[]): number {
  return messages.reduce((sum, message) => sum + toldCharacters(message), 0)
}

/** The newest is always among them, however long it is. */
function newestThatFit(messages: readonly MessageRecord[], characters: number): readonly MessageRecord[] {
  let room = characters
  let first = messages.length
  for (const message of messages.toReversed()) {
    room -= toldCharacters(message)
    if (room < 0 && first < messages.length) break
    first -= 1
  }
  return messages.slice(first)
}
