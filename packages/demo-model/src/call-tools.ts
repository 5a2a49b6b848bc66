import { chooseTool, closestTool, isSubAgent } from './choose-tool.js'
import type { Arguments, Question, Step, Tool } from './conversation.js'
import { callOrAsk, fillArguments, withEarlierReference } from './fill-arguments.js'
import { readUtterance } from './moments.js'
import type { LocalClock } from './wall-time.js'

/** Calls a tool if the request requires one, however badly it fits. */
export function callRequired({ choice, words, tools, clock }: Question): Step | null {
  if (choice === 'auto' || choice === 'none') return null
  const named = typeof choice === 'object' ? tools.find(({ name }) => name === choice.name) : undefined
  const tool = named ?? closestTool(words, tools)
  return tool === null ? null : callOrAsk(tool, argumentsOf(tool, words, clock))
}

/** Calls the tool that matches the request. */
export function callFitting(question: Question): Step | null {
  const { words, tools, clock } = question
  const tool = chooseTool(words, tools, clock)
  if (tool === null) return null
  return callOrAsk(tool, withEarlierReference(tool, argumentsOf(tool, words, clock), question))
}

/** A sub-agent does not see the conversation and gets the whole sentence. */
function argumentsOf(tool: Tool, words: string, clock: LocalClock): Arguments {
  // "Ask the shop: where is my order?"
  return isSubAgent(tool)
    ? { question: words.replace(/^[^:]{0,60}\bask\b[^:?]{1,40}:/i, '').trim() }
    : fillArguments(tool, readUtterance(words, clock))
}
