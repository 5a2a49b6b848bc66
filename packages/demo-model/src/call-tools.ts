import { chooseTool, closestTool, isRepeatable, isSubAgent } from './choose-tool.js'
import { type Arguments, call, type Question, type Step, say, type Tool } from './conversation.js'
import { callOrAsk, fillArguments, withEarlierReference } from './fill-arguments.js'
import { readUtterance } from './moments.js'
import { parametersOf } from './parameters.js'
import type { LocalClock } from './wall-time.js'
import { meaningOf } from './words.js'

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

const followUp =
  /^\W*(?:and|or|but|what about|how about|then|actually|no|sorry|make (?:it|that)|turn it|switch it)\b|\b(?:too|again|instead)\W*$/i
/** Words that say that something is repeated or changed. */
const changing = meaningOf('other one same again instead too actually make turn switch put about meant sorry')

/** "And in Munich?" repeats the last call with another argument, unless that would do something twice. */
export function repeatCall({ words, earlier, tools, clock }: Question): Step | null {
  if (!followUp.test(words)) return null
  const calls = earlier.slice(-3).flatMap((one) => (one.role === 'assistant' ? one.calls : []))
  const last = calls.at(-1)
  const tool = tools.find(({ name }) => name === last?.name)
  if (last === undefined || tool === undefined || isSubAgent(tool)) return null
  const said = readUtterance(words, clock)
  const freeText = parametersOf(tool).filter(({ kind }) => kind === 'query' || kind === 'words')
  const changed = Object.entries(fillArguments(tool, said)).filter(
    ([name]) => !freeText.some((parameter) => parameter.name === name),
  )
  const explained = [
    tool.description,
    ...changed.map(([, value]) => value),
    ...said.moments.map(({ text }) => text),
  ]
  const known = new Set([...meaningOf(explained.join(' ')), ...changing])
  if (changed.length === 0 || [...meaningOf(said.text)].some((word) => !known.has(word))) return null
  if (!isRepeatable(tool)) return say('I cannot change that afterwards.')
  return call(tool, { ...JSON.parse(last.arguments), ...Object.fromEntries(changed) })
}
