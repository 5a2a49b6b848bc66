import type { ModelMessage, ModelTool } from '../text-model.js'
import { chooseTool } from './choose-tool.js'
import { correctedWords } from './corrected-words.js'
import { type Arguments, fillAnswer, fillArguments, questionFor } from './fill-arguments.js'
import { type Parameter, parametersOf } from './parameter.js'
import type { Question } from './question.js'
import { readUtterance } from './utterance.js'
import type { LocalClock } from './wall-time.js'

/** A call that waits for an argument somebody was asked for. */
export interface Draft {
  readonly tool: ModelTool
  readonly asked: Parameter
  readonly filled: Arguments
}

/**
 * Finds the call that was being put together when the last question was asked. The conversation itself is the memory:
 * it is read again from the start, so nothing is kept between questions.
 */
export function findDraft(
  earlier: readonly ModelMessage[],
  tools: readonly ModelTool[],
  clock: LocalClock,
): Draft | null {
  let draft: Draft | null = null
  let said = ''
  for (const message of earlier) {
    if (message.role === 'user') said = message.text
    if (message.role === 'tool') draft = null
    if (message.role === 'assistant') draft = nextDraft(draft, message.text, said, tools, clock)
  }
  return draft
}

/** A draft with what was said about what was asked for, and whatever else was said with it. */
export function answerDraft({ tool, asked, filled }: Draft, words: string, clock: LocalClock): Arguments {
  const utterance = readUtterance(words, clock)
  const answer = fillAnswer(tool, asked, words, utterance)
  const besides = fillArguments(tool, utterance)
  // Whoever takes something back means what was said before it was asked for.
  const known = isFree(asked) ? filled : { ...besides, ...filled, ...(isCorrection(words) ? besides : {}) }
  return answer === null ? known : { ...known, [asked.name]: answer }
}

/** Whether this is about what was asked for. Words of any kind may be, unless they clearly are something else. */
export async function isAnswerTo({ tool, asked, filled }: Draft, question: Question): Promise<boolean> {
  const { words, clock, embedder, tools } = question
  const utterance = readUtterance(words, clock)
  const isFound = fillAnswer(tool, asked, words, utterance) !== null
  if (isFound && !isFree(asked)) return true
  const isMore = Object.keys(fillArguments(tool, utterance)).some((name) => filled[name] === undefined)
  if (!isFree(asked) && (isMore || isCorrection(words))) return true
  const others = tools.filter(({ name }) => name !== tool.name)
  const isOther = (await chooseTool(embedder, clock, words, others)) !== null
  return !isOther && !(isFree(asked) && /^(?:what|who|when|where|why|how)\b.*\?\s*$/i.test(words.trim()))
}

function isFree({ kind }: Parameter): boolean {
  return ['words', 'query', 'other', 'person', 'place'].includes(kind)
}

function isCorrection(words: string): boolean {
  return (
    /^\W*(?:no|sorry|wait|actually|oops|i mean|i meant|not|rather)\b/i.test(words) &&
    correctedWords(words) !== null
  )
}

function nextDraft(
  draft: Draft | null,
  text: string,
  said: string,
  tools: readonly ModelTool[],
  clock: LocalClock,
): Draft | null {
  const question = recogniseQuestion(text, tools)
  if (question === null) return null
  const { tool, asked } = question
  const filled =
    draft !== null && draft.tool.name === tool.name
      ? answerDraft(draft, said, clock)
      : fillArguments(tool, readUtterance(said, clock))
  return { tool, asked, filled }
}

/** An interrupted question counts as well, once enough of it was heard. */
function recogniseQuestion(
  text: string,
  tools: readonly ModelTool[],
): { tool: ModelTool; asked: Parameter } | null {
  for (const tool of tools)
    for (const asked of parametersOf(tool)) {
      const question = questionFor(tool, asked)
      const start = question.slice(0, question.search(/[.:]/))
      if (text.includes(start)) return { tool, asked }
    }
  return null
}
