import type { ModelMessage, ModelTool } from '../text-model.js'
import { type Arguments, fillAnswer, fillArguments, questionFor } from './fill-arguments.js'
import { type Parameter, parametersOf } from './parameter.js'
import { readUtterance } from './utterance.js'

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
  now: Date,
): Draft | null {
  let draft: Draft | null = null
  let said = ''
  for (const message of earlier) {
    if (message.role === 'user') said = message.text
    if (message.role === 'tool') draft = null
    if (message.role === 'assistant') draft = nextDraft(draft, message.text, said, tools, now)
  }
  return draft
}

/** A draft with what was said about what was asked for, and whatever else was said with it. */
export function answerDraft({ tool, asked, filled }: Draft, words: string, now: Date): Arguments {
  const utterance = readUtterance(words, now)
  const answer = fillAnswer(tool, asked, words, utterance)
  const besides = fillArguments(tool, utterance)
  const isPlain = ['words', 'query', 'other', 'person', 'place'].includes(asked.kind)
  const known = isPlain ? filled : { ...besides, ...filled }
  return answer === null ? known : { ...known, [asked.name]: answer }
}

function nextDraft(
  draft: Draft | null,
  text: string,
  said: string,
  tools: readonly ModelTool[],
  now: Date,
): Draft | null {
  const question = recogniseQuestion(text, tools)
  if (question === null) return null
  const { tool, asked } = question
  const filled =
    draft !== null && draft.tool.name === tool.name
      ? answerDraft(draft, said, now)
      : fillArguments(tool, readUtterance(said, now))
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
