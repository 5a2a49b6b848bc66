import type { ChatMessage, ChatModels, ChatTarget } from '../../ports/chat-model.js'
import type { ConversationSummary, MessageRecord } from '../../ports/conversation-stores.js'
import type { OwnedDatabase } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { Clock } from '../../ports/time.js'
import { storable } from '../storable-text.js'
import type { StepCounter } from '../usage/use-counter.js'
import { isOwnCall } from './message-positions.js'

/** The maximum number of messages, regardless of the budget. */
const maxMessages = 1000

export interface MemoryDependencies {
  readonly database: OwnedDatabase
  readonly clock: Clock
  readonly log: Log
  readonly models: ChatModels
}

interface MemoryRequest {
  readonly conversationId: string
  /** The id of the question, which is not part of the memory. */
  readonly exceptMessageId: string
  readonly target: ChatTarget
  readonly budgetCharacters: number
  readonly signal: AbortSignal
  /** Counts the usage of summarizing. */
  readonly steps: StepCounter
}

/** The part of a conversation that is passed to a chat model. */
interface ConversationMemory {
  /** A summary of older messages. */
  readonly summary: string | null
  readonly messages: readonly ChatMessage[]
  /** Whether the summary was written just now, which takes time. */
  readonly isSummarized: boolean
}

/**
 * Loads the newest messages that fit the budget, and a summary of the older ones. If messages no longer fit,
 * the same model extends the summary, which is then stored.
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

  // Messages fill only half of the remaining budget, so that the next turns need no new summary.
  const newest = newestThatFit(messages, budgetCharacters / 2)
  const older = messages.slice(0, messages.length - newest.length)
  const extended = await extendSummary(dependencies, request, { summary, older })
  const shown = extended.ok ? newest : newestThatFit(messages, budgetCharacters)
  return {
    summary: extended.ok ? extended.content : (summary?.content ?? null),
    messages: shown.flatMap(chatMessagesOf),
    isSummarized: extended.ok,
  }
}

type ExtendedSummary = { readonly ok: true; readonly content: string } | { readonly ok: false }

/** Extends the summary with the older messages and stores it. */
async function extendSummary(
  { database, clock, log, models }: MemoryDependencies,
  { conversationId, target, budgetCharacters, signal, steps }: MemoryRequest,
  {
    summary,
    older,
  }: { readonly summary: ConversationSummary | null; readonly older: readonly MessageRecord[] },
): Promise<ExtendedSummary> {
  const last = older.at(-1)
  // The offline model cannot summarize, so messages that do not fit are omitted.
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
      'a conversation could not be summarized; its older messages are omitted',
    )
    return written
  }
  const through = { microseconds: last.positionMicroseconds, counter: last.positionCounter }
  const newSummary = { content: storable(written.content), through }
  await database.transaction(async (stores) => {
    // Nothing is stored if the conversation was deleted in the meantime.
    if (await stores.conversations.lock(conversationId))
      await stores.conversations.saveSummary(conversationId, newSummary, clock.now().toISOString())
  })
  return written
}

function charactersOf(messages: readonly MessageRecord[]): number {
  return messages.reduce((sum, message) => sum + chatCharacters(message), 0)
}

/** Returns the newest messages that fit, and at least the newest one. */
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

const timeoutMilliseconds = 60_000
/** The maximum length of one message in the input of a summary. */
const maxLineCharacters = 4000
/** The maximum length of the input. If it is exceeded, the oldest messages are omitted. */
const maxPieces = 8

const instructions = `You summarize a conversation between a user and an assistant, so that it can continue without the old messages. \
Use at most 300 words. Keep names, facts, numbers, wishes, decisions, results of tools and open questions. Keep the \
content of the earlier summary if it still matters. Answer with the new summary only.`

interface SummaryRequest {
  readonly target: ChatTarget
  /** The maximum length of the text per model step. */
  readonly pieceCharacters: number
  readonly signal: AbortSignal
  readonly steps: StepCounter
  /** The current summary. */
  readonly before: string | null
  readonly messages: readonly MessageRecord[]
}

type Summary =
  | { readonly ok: true; readonly content: string }
  | { readonly ok: false; readonly problem: string }

/** Asks the model for a new summary, given the previous summary and the newer messages. */
async function summarize(
  models: ChatModels,
  { target, pieceCharacters, signal, steps, before, messages }: SummaryRequest,
): Promise<Summary> {
  let content = before ?? '(none)'
  for (const piece of piecesOf(messages.map(lineOf), pieceCharacters).slice(-maxPieces)) {
    const verdict = steps.verdict()
    if (!verdict.ok) return verdict
    const count = steps.begin()
    const step = await models.step({
      target,
      messages: [
        { role: 'system', text: instructions },
        {
          role: 'user',
          text: `The summary so far:\n${content}\n\nThe messages since then:\n${piece}`,
        },
      ],
      tools: [],
      timeoutMilliseconds,
      signal,
    })
    await count(step)
    if (!step.ok) return { ok: false, problem: step.detail }
    if (step.text.trim() === '') return { ok: false, problem: 'The model returned no text.' }
    content = step.text.trim()
  }
  return { ok: true, content }
}

const speakers = { user: 'User', assistant: 'Assistant', tool: 'Tool', subagent: 'Agent' } as const

function lineOf({ role, name, arguments: args, content }: MessageRecord): string {
  const call = name === null ? '' : ` ${name}(${args ?? ''})`
  return `${speakers[role]}${call}: ${content}`.slice(0, maxLineCharacters)
}

function piecesOf(lines: readonly string[], characters: number): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const line of lines) {
    if (piece !== '' && piece.length + line.length > characters) {
      pieces.push(piece)
      piece = ''
    }
    piece += `${line}\n`
  }
  return piece === '' ? pieces : [...pieces, piece]
}

/** Converts a stored message to messages for a chat model. Empty if it has no text. */
function chatMessagesOf(message: MessageRecord): ChatMessage[] {
  if (message.role === 'user' || message.role === 'assistant') {
    if (message.content.trim() === '') return []
    return message.role === 'user'
      ? [{ role: 'user', text: message.content }]
      : [{ role: 'assistant', text: message.content, calls: [] }]
  }
  if (!isOwnCall(message)) return []
  const name = message.name ?? ''
  // Models reuse call ids in every turn, but providers require them to be unique within a conversation.
  const callId = `call_${message.id.replaceAll('-', '').slice(-24)}`
  const output = message.content || message.failure || 'The outcome of the call is not known yet.'
  return [
    { role: 'assistant', text: '', calls: [{ callId, name, arguments: message.arguments ?? '{}' }] },
    { role: 'tool', callId, name, output },
  ]
}

/** Returns the approximate length of a message in a prompt. */
function chatCharacters(message: MessageRecord): number {
  return message.content.length + (message.arguments?.length ?? 0) + 16
}
