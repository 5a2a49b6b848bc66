import type { ChatModels, ChatTarget } from '../../ports/chat-model.js'
import type { MessageRecord } from '../../ports/conversation-store.js'
import type { StepCounter } from '../usage/use-counter.js'

const timeoutMilliseconds = 60_000
/** No more of one message goes into a summary. */
const maxLineCharacters = 4000
/** Of what would need more, the oldest is left out. */
const maxPieces = 8

const instructions = `You keep the memory of a conversation between a user and an assistant. Write down, in at most 300 words, what \
must not be forgotten: names, facts, numbers, wishes, decisions, what was done with tools, and questions that are open. \
Keep what the summary so far holds if it still matters. Answer with the new summary alone.`

export interface SummaryRequest {
  readonly target: ChatTarget
  /** How much the model reads at a time. */
  readonly pieceCharacters: number
  readonly signal: AbortSignal
  readonly steps: StepCounter
  /** The summary so far. */
  readonly before: string | null
  readonly messages: readonly MessageRecord[]
}

export type Summary =
  | { readonly ok: true; readonly content: string }
  | { readonly ok: false; readonly problem: string }

/** Lets the model write a new summary, of the one before and the messages since. */
export async function summarize(
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
          text: `The summary so far:\n${content}\n\nWhat was said since:\n${piece}`,
        },
      ],
      tools: [],
      timeoutMilliseconds,
      signal,
    })
    await count(step)
    if (!step.ok) return { ok: false, problem: step.detail }
    if (step.text.trim() === '') return { ok: false, problem: 'The model wrote nothing.' }
    content = step.text.trim()
  }
  return { ok: true, content }
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
