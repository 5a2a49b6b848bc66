import { makeId } from '../../protocol/ids.js'
import type { ModelCall, ModelMessage, ModelTool, ToolChoice } from '../text-model.js'
import { minToolScore, rankTools, type ToolMatch } from './choose-tool.js'
import { type Embedder, startEmbedder } from './embedder.js'
import { type Fact, findAnsweredFact, findFact, rememberedWords } from './facts.js'
import { answerFromFiles, beginningOf } from './file-answers.js'
import { type Arguments, fillArguments, missingParameter, questionFor } from './fill-arguments.js'
import { disclosure, greetingFrom } from './greeting.js'
import { type Passage, readPassages } from './passages.js'
import { answerDraft, findDraft } from './pending-question.js'
import { reportResults } from './report-result.js'
import { isStatement } from './said-facts.js'
import { capabilities, plainWords, smallTalk } from './small-talk.js'
import { readUtterance } from './utterance.js'

export interface OfflineRequest {
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly toolChoice?: ToolChoice
  /** For whom it thinks: owners take turns. */
  readonly owner?: string
}

export interface OfflineStep {
  readonly text: string
  readonly calls: readonly ModelCall[]
}

/** A small model that needs nothing but this machine. It keeps nothing: the messages are all it knows. */
export interface OfflineModel {
  step(request: OfflineRequest): Promise<OfflineStep>
  /** Loads what the first step will need. */
  prepare(): void
  close(): Promise<void>
}

export interface OfflineModelOptions {
  readonly log?: (line: string) => void
  readonly maxWaiting?: number
  readonly now?: () => Date
}

/** How much of a message is read: what somebody wants stands at its beginning, and reading takes time of all sessions. */
const maxReadCharacters = 1000

/** A request that is taken up in the middle of another one must be this clear. */
const changeOfSubjectScore = 0.8

export function makeOfflineModel(options: OfflineModelOptions = {}): OfflineModel {
  const { log = () => undefined, maxWaiting = 32, now = () => new Date() } = options
  const embedder = startEmbedder(maxWaiting, log)
  return {
    step: (request) => step(embedderOf(embedder, request.owner), request, now()),
    prepare: () => embedder.prepare(),
    close: () => embedder.close(),
  }
}

function embedderOf(embedder: Embedder, owner: string | undefined): Embedder {
  return { ...embedder, embed: (texts) => embedder.embed(texts, owner) }
}

async function step(embedder: Embedder, request: OfflineRequest, now: Date): Promise<OfflineStep> {
  const { systemMessage, passages, talk } = sortOut(request.messages)
  const last = talk.at(-1)
  if (last === undefined) return say(greetingFrom(systemMessage))
  if (last.role === 'tool') return say(await reportFindings(embedder, talk))
  if (last.role === 'assistant') return say('Is there anything else that I can do for you?')
  const question: Question = {
    embedder,
    systemMessage,
    passages,
    words: last.text,
    earlier: talk.slice(0, -1),
    tools: request.toolChoice === 'none' ? [] : request.tools,
    choice: request.toolChoice ?? 'auto',
    now,
  }
  return (
    (await continueDraft(question)) ??
    talkAside(question) ??
    (await callTool(question)) ??
    followUp(question) ??
    answerPlainly(question)
  )
}

interface Question {
  readonly embedder: Embedder
  readonly systemMessage: string
  /** What files hold about it. */
  readonly passages: readonly Passage[]
  readonly words: string
  readonly earlier: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly choice: ToolChoice
  readonly now: Date
}

/** Somebody was asked for an argument, and this may be it. */
async function continueDraft(question: Question): Promise<OfflineStep | null> {
  const draft = findDraft(question.earlier, question.tools, question.now)
  if (draft === null) return null
  if (
    /^(?:no|cancel|stop|never ?mind|forget (?:it|that|about it)|leave it)$/.test(plainWords(question.words))
  )
    return say('All right, I will leave that.')
  const [best] = await rankTools(question.embedder, question.words, question.tools)
  const isOtherRequest =
    best !== undefined && best.tool.name !== draft.tool.name && best.score >= changeOfSubjectScore
  return isOtherRequest ? null : callOrAsk(draft.tool, answerDraft(draft, question.words, question.now))
}

function talkAside({ systemMessage, earlier, tools, words, choice }: Question): OfflineStep | null {
  if (choice !== 'auto' && choice !== 'none') return null
  const reply = smallTalk({ systemMessage, earlier, tools }, words)
  if (reply !== null) return say(reply)
  return rememberedWords(words) === null ||
    tools.some(({ name }) => /note|remember|memo|task|remind/i.test(name))
    ? null
    : say('I will remember that for as long as we talk.')
}

/** A tool that fits, or a sentence of the system message, of the talk or of a file that fits better. */
async function callTool(question: Question): Promise<OfflineStep | null> {
  const ranked = await rankTools(question.embedder, question.words, question.tools)
  const match = chooseMatch(ranked, question)
  const isFree = question.choice === 'auto' || question.choice === 'none'
  const fact = isFree && !isStatement(question.words) ? await findAnswer(question, match !== null) : null
  if (fact !== null && fact.score > (match?.score ?? 0)) return say(fact.fact)
  return match === null
    ? null
    : callOrAsk(match.tool, fillArguments(match.tool, readUtterance(question.words, question.now)))
}

async function findAnswer(
  { embedder, words, systemMessage, earlier, passages }: Question,
  hasTool: boolean,
): Promise<Fact | null> {
  const known = await findFact(embedder, words, systemMessage, earlier)
  const read = await answerFromFiles(embedder, words, passages)
  if (known !== null && known.score >= (read?.score ?? 0)) return known
  return read ?? (hasTool ? null : findAnsweredFact(embedder, words, earlier))
}

/** Who says what: instructions, files that somebody gave to answer from, and the conversation without them. */
function sortOut(messages: readonly ModelMessage[]) {
  const passages: Passage[] = []
  const withoutPassages = (text: string) => {
    const { passages: found, rest } = readPassages(text)
    passages.push(...found)
    return found.length > 0 ? rest.trim() : rest
  }
  const rest = messages.map((message) => {
    if (message.role === 'tool') return message
    const text = message.role === 'assistant' ? message.text : withoutPassages(message.text)
    return { ...message, text: message.role === 'system' ? text : text.slice(0, maxReadCharacters) }
  })
  const systemMessage = rest
    .flatMap((message) => (message.role === 'system' ? [message.text] : []))
    .join('\n')
  const talk = rest.filter(
    (message) => message.role !== 'system' && !(message.role === 'user' && message.text === ''),
  )
  return { systemMessage, passages, talk }
}

/** Somebody who only says what is so does not ask for a tool, unless it is very clear which. */
function chooseMatch(ranked: readonly ToolMatch[], { choice, words }: Question): ToolMatch | null {
  if (typeof choice === 'object') return ranked.find(({ tool }) => tool.name === choice.name) ?? null
  const [best] = ranked
  if (best === undefined) return null
  const minScore = isStatement(words) ? changeOfSubjectScore : minToolScore
  return choice === 'required' || best.score >= minScore ? best : null
}

/** What tools gave back, in words. What they found in files is not read out, but asked for the answer. */
async function reportFindings(embedder: Embedder, talk: readonly ModelMessage[]): Promise<string> {
  const results = lastResults(talk)
  const found = results.map(({ output }) => readPassages(output))
  const passages = found.flatMap((one) => one.passages)
  if (passages.length === 0) return reportResults(results)
  const question = talk.findLast(({ role }) => role === 'user')
  const words = question?.role === 'user' ? question.text : ''
  const answer = await answerFromFiles(embedder, words, passages)
  const others = results.filter((_, index) => found[index]?.passages.length === 0)
  const told = answer?.fact ?? beginningOf(passages)
  return others.length === 0 ? told : `${reportResults(others)} ${told}`
}

/** "And in Paris?": the last call again, with what is new. */
function followUp({ words, earlier, tools, now }: Question): OfflineStep | null {
  const isShort =
    /^(?:and|what about|how about|or|also|now|then)\b/i.test(words.trim()) && words.split(/\s+/).length <= 8
  const last = earlier.flatMap((message) => (message.role === 'assistant' ? message.calls : [])).at(-1)
  const tool = tools.find(({ name }) => name === last?.name)
  if (isShort && last !== undefined && tool !== undefined) {
    const fresh = fillArguments(tool, readUtterance(words, now))
    if (Object.keys(fresh).length > 0) return callOrAsk(tool, { ...parseArguments(last.arguments), ...fresh })
  }
  return null
}

function answerPlainly({ tools, earlier, words, passages }: Question): OfflineStep {
  if (isStatement(words)) return say('I will remember that for as long as we talk.')
  if (passages.length > 0) return say('I found nothing about that in the files. Ask for it in other words.')
  const hasSaidWhat = earlier.some(
    (message) => message.role === 'assistant' && message.text.includes(disclosure),
  )
  if (hasSaidWhat && tools.length > 0)
    return say('Sorry, that is more than the offline model understands. Ask me what I can do.')
  return say(`Sorry, I did not understand that. ${capabilities(tools)}`)
}

function callOrAsk(tool: ModelTool, filled: Arguments): OfflineStep {
  const missing = missingParameter(tool, filled)
  if (missing !== null) return say(questionFor(tool, missing))
  return { text: '', calls: [{ callId: makeId('call'), name: tool.name, arguments: JSON.stringify(filled) }] }
}

function lastResults(talk: readonly ModelMessage[]): Extract<ModelMessage, { role: 'tool' }>[] {
  const start = talk.findLastIndex(({ role }) => role !== 'tool')
  return talk.slice(start + 1).filter((message) => message.role === 'tool')
}

function parseArguments(text: string): Arguments {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Arguments) : {}
  } catch {
    return {}
  }
}

function say(text: string): OfflineStep {
  return { text, calls: [] }
}
