import type { ModelMessage, ModelTool, ToolChoice } from '../text-model.js'
import { correctedWords } from './corrected-words.js'
import { type Embedder, startEmbedder } from './embedder.js'
import { readExampleVectors } from './example-vectors.js'
import { greetingFrom } from './greeting.js'
import { asMeant, type OfflineStep, type Question, type Skill, say, sortMessages } from './question.js'
import { askSubAgent } from './skills/ask-sub-agent.js'
import { callChosen, callFitting, followUp } from './skills/call-tool.js'
import { compute } from './skills/compute.js'
import { continueDraft } from './skills/continue-draft.js'
import { correct } from './skills/correct.js'
import { decline } from './skills/decline.js'
import { holdBack, respondToEmergency } from './skills/hold-back.js'
import { keepInstructions } from './skills/keep-instructions.js'
import { reachPerson } from './skills/reach-person.js'
import { reportFindings } from './skills/report-findings.js'
import { searchFiles } from './skills/search-files.js'
import { seePictures } from './skills/see-pictures.js'
import { remember, takeMessage, takeNote } from './skills/take-note.js'
import { meet, talkAside, talkByMeaning } from './skills/talk-aside.js'
import { beyondExamples, talkExamples } from './talk-examples.js'
import type { LocalClock } from './wall-time.js'

export type { OfflineStep } from './question.js'

export interface OfflineRequest {
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly toolChoice?: ToolChoice
  /** For whom it thinks: owners take turns. */
  readonly owner?: string
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
  /** An IANA name; left out it is the machine's own. */
  readonly timeZone?: string
}

/** What it can do, in the order in which it is tried: what was asked for first, what is sure next, meaning after words. */
const skills: readonly Skill[] = [
  callChosen,
  continueDraft,
  respondToEmergency,
  seePictures,
  talkAside,
  holdBack,
  keepInstructions,
  reachPerson,
  askSubAgent,
  remember,
  compute,
  correct,
  callFitting,
  followUp,
  takeMessage,
  meet,
  talkByMeaning,
  takeNote,
  searchFiles,
]

export function makeOfflineModel(options: OfflineModelOptions = {}): OfflineModel {
  const { log = () => undefined, maxWaiting = 32, now = () => new Date() } = options
  const { timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone } = options
  const embedder = startEmbedder({ maxWaiting, onProgress: log, known: readExampleVectors() })
  return {
    step: (request) => step(embedderOf(embedder, request.owner), { now: now(), timeZone }, request),
    prepare: () => {
      embedder.prepare()
      void embedder.embed([...beyondExamples, ...talkExamples.map(({ sentence }) => sentence)])
    },
    close: () => embedder.close(),
  }
}

function embedderOf(embedder: Embedder, owner: string | undefined): Embedder {
  return { ...embedder, embed: (texts) => embedder.embed(texts, owner) }
}

async function step(embedder: Embedder, clock: LocalClock, request: OfflineRequest): Promise<OfflineStep> {
  const { talk, ...given } = sortMessages(request.messages)
  const last = talk.at(-1)
  if (last === undefined) return say(greetingFrom(given.systemMessage))
  if (last.role === 'tool') return say(await reportFindings(embedder, talk))
  if (last.role === 'assistant') return say('Is there anything else that I can do for you?')
  const question: Question = {
    ...given,
    embedder,
    clock,
    words: asMeant(last.text),
    earlier: talk.slice(0, -1),
    tools: request.toolChoice === 'none' ? [] : request.tools,
    choice: request.toolChoice ?? 'auto',
  }
  return (await firstOf(question)) ?? (await again(question)) ?? decline(question)
}

async function firstOf(question: Question): Promise<OfflineStep | null> {
  for (const skill of skills) {
    const found = await skill(question)
    if (found !== null) return found
  }
  return null
}

/** "No, five times five": what is left without the word that takes back is a request of its own. */
async function again(question: Question): Promise<OfflineStep | null> {
  const words = correctedWords(question.words)
  return words === null ? null : firstOf({ ...question, words })
}
