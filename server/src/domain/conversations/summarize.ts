import { type ChatModels, type ChatTarget, type ChatUsage, noUsage } from '../../ports/chat-model.js'
import type { MessageRecord } from '../../ports/conversation-store.js'
import { addUsage } from '../text-turn/chat-usage.js'

const timeoutMilliseconds = 60_000
/** One message says no more than this to a summary. */
const maxLineCharacters = 4000
/** Of what would need more, the oldest is left out. */
const maxPieces = 8

const instructions = `You keep the memory of a conversation between a user and an assistant. Write down, in at most 300 words, what \
must not be forgotten: names, facts, numbers, wishes, decisions, what was done with tools, and questions that are open. \
Keep what the summary so far holds if it still matters. Answer with the new summary alone.`

export interface SummaryRequest {
  readonly target: ChatTarget
  /** How much is read at a time. */
  readonly pieceCharacters: number
  readonly signal: AbortSignal
}

export interface Summary {
  /** Null where the model could not do it. */
  readonly content: string | null
  readonly usage: ChatUsage
  readonly problem: string | null
}

/** Lets the model take these messages into the summary of what was before them. */
export async function summarize(
  models: ChatModels,
  { target, pieceCharacters, signal }: SummaryRequest,
  before: string | null,
  messages: readonly MessageRecord[],
): Promise<Summary> {
  let content = before
  let usage = noUsage
  for (const piece of piecesOf(messages.map(lineOf), pieceCharacters).slice(-maxPieces)) {
    const step = await models.step({
      target,
      messages: [
        { role: 'system', text: instructions },
        {
          role: 'user',
          text: `The summary so far:\n${content ?? '(none)'}\n\nWhat was said since:\n${piece}`,
        },
      ],
      tools: [],
      timeoutMilliseconds,
      signal,
    })
    usage = addUsage(usage, step.usage)
    if (step.outcome === 'failed') return { content: null, usage, problem: step.detail }
    if (step.text.trim() === '') return { content: null, usage, problem: 'The model wrote nothing.' }
    content = step.text.trim()
  }
  return { content, usage, problem: null }
}

const speakers = { user: 'User', assistant: 'Assistant', tool: 'Tool', subagent: 'Agent' } as const

function lineOf({ role, name, arguments: given, content }: MessageRecord): string {
  const call = name === null ? '' : ` ${name}(${given ?? ''})`
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
