import type { Tool } from './conversation.js'
import { asksForNow } from './dates.js'
import { fillArguments, missingParameter } from './fill-arguments.js'
import { readUtterance, type Utterance } from './moments.js'
import { parametersOf } from './parameters.js'
import { actsOf, isOpposite, type Request, readRequest } from './read-request.js'
import type { LocalClock } from './wall-time.js'
import { meaningOf, spokenName, wordsOf } from './words.js'

/** Another agent, as the service offers it: a tool that takes a question. */
export function isSubAgent(tool: Tool): boolean {
  return /^ask_/i.test(tool.name) && parametersOf(tool).some(({ name }) => name === 'question')
}

/** Searches the files of the conversation, as the service offers it. */
export function searchesConversation(tool: Tool): boolean {
  const required = parametersOf(tool).filter(({ isRequired }) => isRequired)
  const takesQuery = required.length === 1 && required[0]?.name === 'query'
  return takesQuery && /\bfiles of (?:this|the) conversation\b/i.test(tool.description)
}

/** Returns the time, here or in a place, and requires no other argument. */
export function isClockTool(tool: Tool): boolean {
  const isNamedSo = wordsOf(tool.name).some((word) =>
    ['time', 'clock', 'date', 'datetime', 'now'].includes(word),
  )
  return (
    isNamedSo &&
    parametersOf(tool).every(({ isRequired, kind }) => !isRequired || kind === 'zone' || kind === 'place')
  )
}

/** Returns the tool that matches a request, or null if no tool clearly does. */
export function chooseTool(words: string, tools: readonly Tool[], clock: LocalClock): Tool | null {
  const request = readRequest(words)
  const utterance = readUtterance(words, clock)
  const able = tools.filter((tool) => isAble(tool, request, words))
  return bestOf(able, (tool) => scoreOf(tool, request, utterance))
}

/** Returns the tool with the most words in common, for a request that must call one. */
export function closestTool(words: string, tools: readonly Tool[]): Tool | null {
  const said = meaningOf(asToolsSay(words))
  return bestOf(tools, (tool) => common(said, vocabularyOf(tool)).length)
}

function bestOf(tools: readonly Tool[], scoreOf: (tool: Tool) => number | null): Tool | null {
  const scored = tools.flatMap((tool) => {
    const score = scoreOf(tool)
    return score === null ? [] : [{ tool, score }]
  })
  return scored.sort((one, other) => other.score - one.score)[0]?.tool ?? null
}

/** Replaces phrases of users by the words of tools. */
function asToolsSay(words: string): string {
  return words
    .replace(/\bremind (?:me|us)\b/i, 'create a task')
    .replace(/\b(?:put|add) (.+) (?:on|to) (?:my|the|our) (?:to-?do )?list\b/i, 'create a task: $1')
    .replace(/\b(?:my )?money back\b/i, 'refund')
}

/** Whether a tool can do what the verb asks for. A tool that creates tasks cannot cancel one. */
function isAble(tool: Tool, request: Request, words: string): boolean {
  if (isSubAgent(tool)) return request.kind !== 'statement' || /\bquestion\b/i.test(words)
  if (isClockTool(tool)) return asksForNow(words)
  if (isOpposite(words, tool.name)) return false
  const does = actsOfTool(tool)
  if (request.kind === 'statement') return false
  if (/^how (?:do|can|could|should|would|to)\b/i.test(request.core)) return false
  if (request.acts.length > 0) return request.acts.some((act) => does.includes(act))
  // An order with an unknown verb must use a word of the tool.
  return request.verb === null || common(meaningOf(request.verb), vocabularyOf(tool)).length > 0
}

function actsOfTool(tool: Tool) {
  const acts = actsOf(wordsOf(tool.name)[0] ?? '')
  if (acts.length > 0) return acts
  const described = actsOf(wordsOf(tool.description)[0] ?? '')
  return described.length > 0 ? described : (['read'] as const)
}

/** Whether a second call with other arguments replaces the first one or changes nothing. */
export function isRepeatable(tool: Tool): boolean {
  const acts = actsOfTool(tool)
  return acts.every((act) => act === 'read') || acts.includes('switch') || /^set/i.test(tool.name)
}

/** Words in the description of every sub-agent. */
const delegating = meaningOf(
  'ask asks agent question questions answer answers task pass give back full conversation',
)

/** Returns how well a tool fits, or null if the request is not about it. */
function scoreOf(tool: Tool, request: Request, utterance: Utterance): number | null {
  const said = meaningOf(asToolsSay(request.core))
  const named = common(said, objectsOf(tool))
  const verb = meaningOf(request.verb ?? '')
  const described = common(said, vocabularyOf(tool)).filter(
    (word) => !verb.has(word) && !delegating.has(word),
  )
  const score = named.length + described.length * 0.5 + common(verb, meaningOf(tool.name)).length * 0.5
  if (isSubAgent(tool)) return named.length + described.length > 0 ? score : null
  if (isClockTool(tool)) return score + 1
  if (isAtAnotherTime(tool, utterance)) return null
  const verbs = common(new Set([...said, ...verb]), meaningOf(wordsOf(tool.name)[0] ?? ''))
  const isDescribed = described.length > 0 && verbs.length > 0
  if (named.length === 0 && !isDescribed) return null
  const filled = fillArguments(tool, utterance)
  const isComplete = missingParameter(tool, filled) === null
  const explained = [request.verb, ...Object.values(filled), ...utterance.moments.map(({ text }) => text)]
  const unexplained = unexplainedShare(tool, said, explained.join(' '))
  // A request with other words and without the arguments means something else.
  if (unexplained >= 0.5 && !isComplete) return null
  if (named.length === 0 && unexplained > 0) return null
  return score + (isComplete ? 0.5 : 0) - unexplained
}

/** Returns the share of words that neither the tool nor its arguments explain. */
function unexplainedShare(tool: Tool, said: ReadonlySet<string>, explained: string): number {
  // Any word may belong to a title or a query.
  if (said.size === 0 || parametersOf(tool).some(({ kind }) => kind === 'words' || kind === 'query')) return 0
  const known = new Set([...vocabularyOf(tool), ...meaningOf(explained)])
  return [...said].filter((word) => !/^\d/.test(word) && !known.has(word)).length / said.size
}

/** Whether a request is for another time than the tool works for: the past for a tool without dates, or later. */
function isAtAnotherTime(tool: Tool, { moments, text }: Utterance): boolean {
  const kinds = parametersOf(tool).map(({ kind }) => kind)
  if (kinds.includes('moment') || kinds.includes('words') || moments.length === 0) return false
  if (actsOfTool(tool).some((act) => act === 'read'))
    return /\b(?:yesterday|last|ago|was|were)\b/i.test(text) && kinds.length > 0
  return moments.some(({ text: said }) => !/^(?:now|today|tonight)$/i.test(said))
}

/** Returns the meaning of a tool's name without its verb. */
function objectsOf(tool: Tool): ReadonlySet<string> {
  const [first = '', ...others] = wordsOf(tool.name)
  const words = actsOf(first).length > 0 && others.length > 0 ? others : [first, ...others]
  return meaningOf(words.join(' '))
}

function vocabularyOf(tool: Tool): ReadonlySet<string> {
  const about = `${spokenName(tool.name)} ${tool.description}`
  return meaningOf(isSubAgent(tool) ? about : `${about} ${JSON.stringify(tool.parameters)}`)
}

function common(some: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...some].filter((word) => others.has(word))
}
