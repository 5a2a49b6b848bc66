import { type Arguments, call, type Question, type Step, say, type Tool, textsOf } from './conversation.js'
import { bareAnswer, findValue, inUnitOf } from './find-values.js'
import { readUtterance, type Utterance } from './moments.js'
import { spokenNumber } from './numbers.js'
import { type Parameter, parametersOf } from './parameters.js'
import { readRequest } from './read-request.js'
import { fieldPhrase, joinWords, toolPhrase, wordsOf } from './words.js'

/** Fills in the arguments that a sentence names. Each number is used once. */
export function fillArguments(tool: Tool, said: Utterance): Arguments {
  const numbers = [...said.numbers]
  const filled: Record<string, unknown> = {}
  let hasWords = false
  // Parameters that the sentence names come first, then those that need a number.
  const words = wordsOf(said.text)
  const rank = ({ nameWords, kind }: Parameter) =>
    (nameWords.some((word) => words.includes(word) || words.includes(`${word}s`)) ? 2 : 0) +
    (kind === 'identifier' || kind === 'number' ? 1 : 0)
  for (const parameter of parametersOf(tool).sort((a, b) => rank(b) - rank(a))) {
    // The same words are not used as title and as description.
    if (parameter.kind === 'words' && !parameter.isRequired && hasWords) continue
    const value = findValue(parameter, tool, said, numbers)
    if (value === null) continue
    filled[parameter.name] = value
    hasWords ||= parameter.kind === 'words'
  }
  return filled
}

export function missingParameter(tool: Tool, filled: Arguments): Parameter | null {
  return parametersOf(tool).find(({ name, isRequired }) => isRequired && filled[name] === undefined) ?? null
}

/** Calls the tool, or asks for the first argument that is missing. */
export function callOrAsk(tool: Tool, filled: Arguments): Step {
  const missing = missingParameter(tool, filled)
  return missing === null ? call(tool, filled) : say(questionFor(tool, missing))
}

/** "Refund it" means the order that was named before. */
export function withEarlierReference(tool: Tool, filled: Arguments, question: Question): Arguments {
  const missing = missingParameter(tool, filled)
  if (missing === null || !/\b(?:it|that|this|the same)\b/i.test(question.words)) return filled
  // "Create a task for it" is about the statement before.
  const before = textsOf(question.earlier, 'user').at(-1) ?? ''
  if (missing.kind === 'words' && readRequest(before).kind === 'statement')
    return { ...filled, [missing.name]: before.replace(/[.!\s]+$/, '') }
  if (missing.kind !== 'identifier') return filled
  const thing = missing.nameWords.find((word) => !['id', 'number', 'no', 'code'].includes(word)) ?? ''
  const said =
    textsOf(question.earlier.slice(-8), 'user').findLast((text) => text.toLowerCase().includes(thing)) ?? ''
  const found = fillArguments(tool, readUtterance(said, question.clock))[missing.name]
  return found === undefined ? filled : { ...filled, [missing.name]: found }
}

/** Reads the answer to the question for one argument. Returns null if it holds none. */
export function fillAnswer(tool: Tool, parameter: Parameter, words: string, said: Utterance): unknown {
  const { kind } = parameter
  if (kind === 'flag') return !/^\s*(?:no|nope|not|never|don't|false)\b/i.test(words)
  if (/^\W*(?:i (?:do not|don't) (?:know|have|care)|no idea|not sure|whatever)\b/i.test(words)) return null
  if (kind === 'number') {
    const value = spokenNumber(said.text)
    const [, unit = ''] = /\d\s*([a-z]+)/i.exec(said.text) ?? []
    return value === null ? null : inUnitOf(parameter.nameWords, value, unit)
  }
  const found = findValue(parameter, tool, said, [...said.numbers])
  if (found !== null && kind !== 'words' && kind !== 'query') return found
  if (['choice', 'list', 'structure', 'email', 'moment', 'zone'].includes(kind)) return found
  return kind === 'identifier' && !/^\S+(?: \S+)?$/.test(words.trim())
    ? null
    : bareAnswer(words, parameter.nameWords)
}

/** Returns the question for a missing argument. It never varies, so that the answer can be matched to it. */
export function questionFor(tool: Tool, { name, kind, choices }: Parameter): string {
  const isCount = kind === 'number' && /(?:s|people)$/.test(name)
  const start = `To ${toolPhrase(tool)} I still need the ${isCount ? 'number of ' : ''}${fieldPhrase(name)}`
  return kind === 'choice' ? `${start}: ${joinWords(choices, 'or')}?` : `${start}. What is it?`
}
