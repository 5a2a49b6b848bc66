import { actsOfTool, chooseTool, rankTools, type ToolMatch } from '../choose-tool.js'
import { fillArguments } from '../fill-arguments.js'
import { callOrAsk, lastCall, type OfflineStep, type Question, say } from '../question.js'
import { isSubAgent } from '../tool-kind.js'
import { readUtterance } from '../utterance.js'
import { findKnown } from './answer-known.js'

/** A tool that somebody must have called, whatever was said. */
export async function callChosen(question: Question): Promise<OfflineStep | null> {
  const { choice, embedder, words, tools } = question
  if (choice === 'auto' || choice === 'none') return null
  const ranked = await rankTools(embedder, words, tools)
  const match = typeof choice === 'object' ? ranked.find(({ tool }) => tool.name === choice.name) : ranked[0]
  return match === undefined ? null : callMatch(match, question)
}

/** A tool that fits, or a sentence of the system message, of the talk or of a file that fits better. */
export async function callFitting(question: Question): Promise<OfflineStep | null> {
  const { embedder, clock, words, tools } = question
  const match = await chooseTool(embedder, clock, words, tools)
  const known = await findKnown(question, match !== null)
  if (known !== null && known.score > (match?.score ?? 0)) return say(known.fact)
  return match === null ? null : callMatch(match, question)
}

function callMatch({ tool }: ToolMatch, { words, clock, earlier, tools }: Question): OfflineStep {
  // Another agent knows nothing of this conversation: it gets all that was said.
  if (isSubAgent(tool)) return callOrAsk(tool, { question: words.trim() })
  const filled = fillArguments(tool, readUtterance(words, clock))
  // "Turn it off" is about what was just turned on.
  const last = /\b(?:it|that one|them)\b/i.test(words) ? lastCall(earlier, tools) : null
  const isSame = last?.tool.name === tool.name && actsOfTool(tool).includes('switch')
  return callOrAsk(tool, isSame ? { ...last?.given, ...filled } : filled)
}

/** "And in Paris?": the last call again, with what is new. */
export function followUp({ words, earlier, tools, clock, choice }: Question): OfflineStep | null {
  const isShort =
    /^(?:and|what about|how about|or|also|now|then)\b/i.test(words.trim()) && words.split(/\s+/).length <= 8
  const last = isShort && choice === 'auto' ? lastCall(earlier, tools) : null
  if (last === null) return null
  const fresh = fillArguments(last.tool, readUtterance(words, clock))
  return Object.keys(fresh).length === 0 ? null : callOrAsk(last.tool, { ...last.given, ...fresh })
}
