import type { ModelTool } from '../text-model.js'
import { assumedLikeness, type Embedder, likeness } from './embedder.js'
import { fillArguments, missingParameter } from './fill-arguments.js'
import { findPlace, findZone } from './find-names.js'
import { parametersOf } from './parameter.js'
import { type Act, actsOf, isOpposite, type Request, readRequest } from './request.js'
import { beyondExamples } from './talk-examples.js'
import { isClockTool, isSubAgent } from './tool-kind.js'
import { readUtterance, type Utterance } from './utterance.js'
import type { LocalClock } from './wall-time.js'
import { meaningOf, spokenName, wordsOf } from './words.js'

export interface ToolMatch {
  readonly tool: ModelTool
  readonly score: number
}

/** Below this a tool is not what was meant. Measured on sentences for and beside the point. */
const minScore = 0.45
/** By how much a tool must fit better than what no tool is for. */
const margin = 0.05
/** So alike that no word need be the same. */
const sureLikeness = 0.68
const wordWeight = 0.3
const ownershipWeight = 0.1
const completeWeight = 0.1
const unexplainedWeight = 0.3

/** The tool that a request is about, or null: none of them, unless one fits clearly better than none. */
export async function chooseTool(
  embedder: Embedder,
  clock: LocalClock,
  words: string,
  tools: readonly ModelTool[],
): Promise<ToolMatch | null> {
  const request = readRequest(words)
  const able = tools.filter((tool) => isAble(tool, request, words))
  if (able.length === 0) return null
  const ranked = await rankTools(embedder, words, able)
  const beyond = await likenessToBeyond(embedder, words)
  const judged = ranked
    .map((match) => judge(match, request, readUtterance(words, clock)))
    .filter((match) => match !== null)
    .sort((a, b) => b.score - a.score)
  const [best] = judged
  return best !== undefined && best.score >= Math.max(minScore, beyond + margin) ? best : null
}

export interface RankedTool extends ToolMatch {
  readonly likeness: number
}

/** The tools by how well they fit what was said, the best first: by meaning, and by the words in common. */
export async function rankTools(
  embedder: Embedder,
  words: string,
  tools: readonly ModelTool[],
): Promise<readonly RankedTool[]> {
  if (tools.length === 0) return []
  const meant = asToolsSay(words)
  const descriptions = tools.map(describe)
  const vectors = await embedder.embed([meant, ...descriptions.flat()])
  const [spoken, ...known] = vectors ?? []
  let next = 0
  return tools
    .map((tool, index) => {
      const own = known.slice(next, next + (descriptions[index]?.length ?? 0))
      next += own.length
      const alike =
        spoken === undefined ? assumedLikeness : Math.max(...own.map((vector) => likeness(spoken, vector)))
      return { tool, likeness: alike, score: alike + wordWeight * wordsInCommon(meant, tool) }
    })
    .sort((a, b) => b.score - a.score)
}

/** What people say for it is far from what tools for it are called. */
function asToolsSay(words: string): string {
  return words
    .replace(/\bremind (?:me|us)\b/i, 'create a task')
    .replace(/\b(?:put|add) (.+) (?:on|to) (?:my|the|our) (?:to-?do )?list\b/i, 'create a task: $1')
    .replace(/\b(?:my )?money back\b/i, 'refund')
}

/** Whether a tool can do what was asked for at all: who wants to cancel a task has no use for one that creates tasks. */
function isAble(tool: ModelTool, request: Request, words: string): boolean {
  if (isSubAgent(tool)) return true
  if (isClockTool(tool)) return asksForNow(words)
  if (isOpposite(words, tool.name)) return false
  const does = actsOfTool(tool)
  if (request.kind === 'statement') return does.includes('read') && isComplaint(words)
  if (/^how (?:do|can|could|should|would|to)\b/i.test(request.core)) return false
  if (request.acts.length > 0) return request.acts.some((act) => does.includes(act))
  // An order with a verb that no tool is called by must be in the tool's own words.
  const own = meaningOf(`${spokenName(tool.name)} ${tool.description}`)
  return request.verb === null || own.has([...meaningOf(request.verb)][0] ?? '')
}

export function actsOfTool(tool: ModelTool): readonly Act[] {
  const [verb = ''] = wordsOf(tool.name)
  const [other = ''] = wordsOf(tool.description)
  const acts = actsOf(verb)
  if (acts.length > 0) return acts
  const described = actsOf(other)
  return described.length > 0 ? described : ['read']
}

/** All words of a question for the time or the date of now; a place may stand beside them. */
const nowWords = new Set(
  'what which whats is s it the a time date day clock hour now right current currently exact exactly present moment tell me know do does you have got please today todays can could would of say says give check look at show hey hi hello excuse i want need to for us late how in on there here and weekday we our'.split(
    ' ',
  ),
)

/** A clock knows what time it is, not what time it will be, and nothing of anybody's day. */
function asksForNow(words: string): boolean {
  if (!/\b(?:time|clock|date|day|today|late|weekday)\b/i.test(words)) return false
  const place = findZone(words) === null ? null : findPlace(words, [])
  const rest = wordsOf(place === null ? words : words.replace(place, ' '))
  return rest.every((word) => nowWords.has(word)) && !/^(?:what a|how)\b(?! late)/i.test(words)
}

function isComplaint(words: string): boolean {
  return /\b(?:not|never|missing|late|lost|wrong|damaged|still waiting|too)\b|n't\b/i.test(words)
}

/** What every sub-agent is described in. */
const delegating = meaningOf(
  'ask asks agent question questions answer answers task pass give back full conversation',
)

/** What speaks for a tool and against it; null where nothing that was said is what the tool is about. */
function judge(
  { tool, score, likeness: alike }: RankedTool,
  request: Request,
  utterance: Utterance,
): ToolMatch | null {
  const said = meaningOf(asToolsSay(request.core))
  const objects = objectsOf(tool)
  const isNamed = [...objects].some((word) => said.has(word))
  const verb = meaningOf(request.verb ?? '')
  const described = [...said].filter(
    (word) => !verb.has(word) && !delegating.has(word) && vocabularyOf(tool).has(word),
  )
  if (isSubAgent(tool))
    return isNamed || (described.length > 0 && alike > 0.3) ? { tool, score: score + 0.1 } : null
  if (isClockTool(tool)) return { tool, score: score + 0.2 }
  if (isAtAnotherTime(tool, utterance)) return null
  const filled = fillArguments(tool, utterance)
  const isHinted = described.length > 0 && alike >= 0.45
  if (!isNamed && !isHinted && alike < sureLikeness) return null
  const explained = meaningOf(Object.values(filled).map(String).join(' '))
  const dated = meaningOf(utterance.moments.map(({ text }) => text).join(' '))
  const unexplained = [...said].filter(
    (word) =>
      !vocabularyOf(tool).has(word) &&
      !explained.has(word) &&
      !dated.has(word) &&
      !verb.has(word) &&
      !/^\d/.test(word),
  )
  const takesWords = parametersOf(tool).some(({ kind }) => kind === 'words' || kind === 'query')
  const share = said.size === 0 || (takesWords && (isNamed || isHinted)) ? 0 : unexplained.length / said.size
  const isOwn = ownsObject(request.core, objects)
  // Who has yet to say what it is about, and says other things, speaks of something else.
  const isComplete = missingParameter(tool, filled) === null
  if (share >= 0.5 && !isOwn && !isComplete) return null
  const hasAll = isComplete && isNamed && Object.keys(filled).length > 0
  const support = (isOwn ? ownershipWeight : 0) + (hasAll ? completeWeight : 0)
  return { tool, score: score + support - unexplainedWeight * share }
}

/** What is over cannot be looked up by a tool that knows no dates, and what is for later cannot be done now. */
function isAtAnotherTime(tool: ModelTool, { moments, text }: Utterance): boolean {
  const kinds = parametersOf(tool).map(({ kind }) => kind)
  if (kinds.includes('moment') || kinds.includes('words') || moments.length === 0) return false
  const isRead = actsOfTool(tool).includes('read')
  if (isRead) return /\b(?:yesterday|last|ago|was|were)\b/i.test(text) && kinds.length > 0
  return moments.some(({ text: said }) => !/^(?:now|right now|today|tonight|this \w+)$/i.test(said))
}

/** "My order": that is about the thing itself, not about the word. */
function ownsObject(text: string, objects: ReadonlySet<string>): boolean {
  return [...text.matchAll(/\b(?:my|our|this|that)\s+((?:[\w'-]+\s+){0,1}[\w'-]+)/gi)].some(
    ([, thing = '']) => [...meaningOf(thing)].some((word) => objects.has(word)),
  )
}

async function likenessToBeyond(embedder: Embedder, words: string): Promise<number> {
  const vectors = await embedder.embed([words, ...beyondExamples])
  const [spoken, ...known] = vectors ?? []
  return spoken === undefined ? 0 : Math.max(...known.map((vector) => likeness(spoken, vector)))
}

function describe(tool: ModelTool): string[] {
  const firstSentences = tool.description.split(/(?<=[.!?:])\s+/).slice(0, 3)
  return [spokenName(tool.name), ...firstSentences].filter((text) => text.trim() !== '')
}

/** What a tool is about: its name without its verb. */
function objectsOf(tool: ModelTool): ReadonlySet<string> {
  const [first = '', ...others] = wordsOf(tool.name)
  const words = actsOf(first).length > 0 && others.length > 0 ? others : [first, ...others]
  return meaningOf(words.join(' '))
}

/** All words that a tool is described in. */
function vocabularyOf(tool: ModelTool): ReadonlySet<string> {
  const about = `${spokenName(tool.name)} ${tool.description}`
  return meaningOf(isSubAgent(tool) ? about : `${about} ${JSON.stringify(tool.parameters)}`)
}

/**
 * 0 to 1: how much of the tool's name was said, how much of what was said is in its description, and whether what was
 * said begins with what the tool does. One word in common is not much.
 */
function wordsInCommon(words: string, tool: ModelTool): number {
  const said = meaningOf(words)
  const name = meaningOf(spokenName(tool.name))
  const all = meaningOf(`${spokenName(tool.name)} ${tool.description}`)
  const [first] = said
  const begins = first !== undefined && name.has(first) ? 1 : 0
  return 0.5 * share(name, said) + 0.25 * share(said, all) * Math.min(1, said.size / 2) + 0.25 * begins
}

function share(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  if (part.size === 0) return 0
  return [...part].filter((word) => whole.has(word)).length / part.size
}
