import { chooseTool } from './choose-tool.js'
import { compute } from './compute.js'
import { type Arguments, type Question, type Step, say, type Tool } from './conversation.js'
import { callOrAsk, fillAnswer, fillArguments, questionFor, withEarlierReference } from './fill-arguments.js'
import { readUtterance } from './moments.js'
import { type Parameter, parametersOf } from './parameters.js'
import { rememberedWords } from './quote.js'
import { correctedWords, readRequest } from './read-request.js'
import { isSmallTalk, plainWords } from './small-talk.js'
import type { LocalClock } from './wall-time.js'

/** A call that waits for the argument that was asked for last. */
interface Draft {
  readonly tool: Tool
  readonly asked: Parameter
  readonly filled: Arguments
}

const leaving =
  /^(?:no|cancel|stop|never ?mind|forget (?:it|that|about it)|leave it|cancel (?:it|that)|i changed my mind|skip it)(?: thanks| thank you)?$/

/** Reads the answer to the question for a missing argument. */
export function continueDraft(question: Question): Step | null {
  const { words, clock } = question
  const draft = findDraft(question)
  if (draft === null) return null
  if (leaving.test(plainWords(words))) return say('All right, I will leave that.')
  if (isSmallTalk(words) || compute(question) !== null || !isAnswerTo(draft, question)) return null
  return callOrAsk(draft.tool, withEarlierReference(draft.tool, answerDraft(draft, words, clock), question))
}

/** Rebuilds the draft from the conversation, which is the only memory of the model. */
function findDraft({ earlier, tools, clock }: Question): Draft | null {
  let draft: Draft | null = null
  let said = ''
  for (const message of earlier) {
    if (message.role === 'user') said = message.text
    if (message.role === 'tool') draft = null
    if (message.role === 'assistant') draft = nextDraft(draft, message.text, said, tools, clock)
  }
  return draft
}

function nextDraft(
  draft: Draft | null,
  text: string,
  said: string,
  tools: readonly Tool[],
  clock: LocalClock,
): Draft | null {
  for (const tool of tools)
    for (const asked of parametersOf(tool)) {
      const question = questionFor(tool, asked)
      // An interrupted question counts too, if its first sentence was heard.
      if (!text.includes(question.slice(0, question.search(/[.:]/)))) continue
      const isSame = draft !== null && draft.tool.name === tool.name
      const filled = isSame
        ? answerDraft(draft, said, clock)
        : fillArguments(tool, readUtterance(said, clock))
      return { tool, asked, filled }
    }
  return null
}

function answerDraft({ tool, asked, filled }: Draft, words: string, clock: LocalClock): Arguments {
  const utterance = readUtterance(words, clock)
  const answer = fillAnswer(tool, asked, words, utterance)
  const besides = fillArguments(tool, utterance)
  const known = isFree(asked) ? filled : { ...besides, ...filled, ...(isCorrection(words) ? besides : {}) }
  return answer === null ? known : { ...known, [asked.name]: answer }
}

/** Any words may answer a question for words, unless they clearly are another request. */
function isAnswerTo({ tool, asked, filled }: Draft, { words, clock, tools }: Question): boolean {
  if (isFree(asked)) {
    const others = tools.filter(({ name }) => name !== tool.name)
    const { kind, acts } = readRequest(words)
    const isQuestion = kind === 'question' && acts.length > 0
    return !isQuestion && rememberedWords(words) === null && chooseTool(words, others, clock) === null
  }
  const said = readUtterance(words, clock)
  const isMore = Object.keys(fillArguments(tool, said)).some((name) => filled[name] === undefined)
  return isMore || isCorrection(words) || fillAnswer(tool, asked, words, said) !== null
}

function isFree({ kind }: Parameter): boolean {
  return ['words', 'query', 'other', 'person', 'place'].includes(kind)
}

function isCorrection(words: string): boolean {
  return (
    /^\W*(?:no|sorry|wait|actually|oops|i mean|i meant|not)\b/i.test(words) && correctedWords(words) !== null
  )
}
