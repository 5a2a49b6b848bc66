import type { ChatMessage, ChatModels, ChatTarget } from '../../ports/chat-model.js'
import type { Clock } from '../../ports/clock.js'
import type { ConversationSummary, MessageRecord } from '../../ports/conversation-store.js'
import type { OwnedDatabase } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import { storable } from '../storable-text.js'
import type { StepCounter } from '../usage/use-counter.js'
import { chatCharacters, chatMessagesOf } from './chat-history.js'
import { summarize } from './summarize.js'

/** More than this is not read, whatever the budget. */
const maxMessages = 1000

export interface MemoryDependencies {
  readonly database: OwnedDatabase
  readonly clock: Clock
  readonly log: Log
  readonly models: ChatModels
}

export interface MemoryRequest {
  readonly conversationId: string
  /** The question itself, which is no part of what came before it. */
  readonly exceptMessageId: string
  readonly target: ChatTarget
  readonly budgetCharacters: number
  readonly signal: AbortSignal
  /** Counts what it takes to summarize. */
  readonly steps: StepCounter
}

/** What a chat model knows of the conversation so far. */
export interface ConversationMemory {
  /** What was said longer ago, in few words. */
  readonly summary: string | null
  readonly messages: readonly ChatMessage[]
  /** Whether a model was asked for a summary now, which takes time. */
  readonly isSummarized: boolean
}

/**
 * Loads the newest messages that fit, and a summary of the older ones, which the same model writes when they do not fit
 * any more, and which is kept.
 */
export async function loadMemory(
  dependencies: MemoryDependencies,
  request: MemoryRequest,
): Promise<ConversationMemory> {
  const { conversations } = dependencies.database.stores
  const { conversationId, budgetCharacters } = request
  const summary = await conversations.findSummary(conversationId)
  const recent = await conversations.recentMessages(conversationId, maxMessages, summary?.through)
  const messages = recent.filter(({ id }) => id !== request.exceptMessageId)
  if (charactersOf(messages) <= budgetCharacters)
    return {
      summary: summary?.content ?? null,
      messages: messages.flatMap(chatMessagesOf),
      isSummarized: false,
    }

  // Half of the room stays free, so that the next turns need no summary again.
  const kept = newestThatFit(messages, budgetCharacters / 2)
  const older = messages.slice(0, messages.length - kept.length)
  const extended = await extendSummary(dependencies, request, { summary, older })
  const shown = extended.ok ? kept : newestThatFit(messages, budgetCharacters)
  return {
    summary: extended.ok ? extended.content : (summary?.content ?? null),
    messages: shown.flatMap(chatMessagesOf),
    isSummarized: extended.ok,
  }
}

type ExtendedSummary = { readonly ok: true; readonly content: string } | { readonly ok: false }

/** Makes the summary one of the older messages too, and stores it. */
async function extendSummary(
  { database, clock, log, models }: MemoryDependencies,
  { conversationId, target, budgetCharacters, signal, steps }: MemoryRequest,
  {
    summary,
    older,
  }: { readonly summary: ConversationSummary | null; readonly older: readonly MessageRecord[] },
): Promise<ExtendedSummary> {
  const last = older.at(-1)
  // The offline model cannot summarize; what does not fit is left out.
  if (last === undefined || target.kind === 'embedded') return { ok: false }
  const written = await summarize(models, {
    target,
    pieceCharacters: budgetCharacters,
    signal,
    steps,
    before: summary?.content ?? null,
    messages: older,
  })
  if (!written.ok) {
    log.warn(
      { conversationId, problem: written.problem },
      'a conversation could not be summarized; its older part is left out',
    )
    return written
  }
  const through = { microseconds: last.positionMicroseconds, counter: last.positionCounter }
  const kept = { content: storable(written.content), through }
  await database.transaction(async (stores) => {
    // Of a conversation that was deleted meanwhile nothing is kept.
    if (await stores.conversations.lock(conversationId))
      await stores.conversations.saveSummary(conversationId, kept, clock.now().toISOString())
  })
  return written
}

function charactersOf(messages: readonly MessageRecord[]): number {
  return messages.reduce((sum, message) => sum + chatCharacters(message), 0)
}

/** The newest is always among them, however long it is. */
function newestThatFit(messages: readonly MessageRecord[], characters: number): readonly MessageRecord[] {
  let room = characters
  let first = messages.length
  for (const message of messages.toReversed()) {
    room -= chatCharacters(message)
    if (room < 0 && first < messages.length) break
    first -= 1
  }
  return messages.slice(first)
}
