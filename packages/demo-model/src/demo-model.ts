import { callFitting, callRequired, repeatCall } from './call-tools.js'
import { searchesConversation } from './choose-tool.js'
import { compute } from './compute.js'
import {
  call,
  type Message,
  type Question,
  readConversation,
  type Skill,
  type Step,
  say,
  type Tool,
  type ToolChoice,
  textsOf,
} from './conversation.js'
import { continueDraft } from './drafts.js'
import { findQuery } from './find-values.js'
import { inSchema } from './in-schema.js'
import { readUtterance } from './moments.js'
import { quoteKnown, specificWords } from './quote.js'
import { readRequest } from './read-request.js'
import { holdBack, keepInstructions, refuse, respondToEmergency } from './refuse.js'
import { reportLastResults } from './report-results.js'
import { greetingFrom, smallTalk, takeNote } from './small-talk.js'
import { wordsOf } from './words.js'

export interface DemoRequest {
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
  /** The JSON schema of an answer that calls no tools. Null if the answer is free text. */
  readonly responseSchema?: Readonly<Record<string, unknown>> | null
}

/** A rule-based text model. It has no state: everything that it knows is in the messages. */
export interface DemoModel {
  step(request: DemoRequest): Step
}

export interface DemoModelOptions {
  readonly now?: () => Date
  /** An IANA time zone. Defaults to the zone of the machine. */
  readonly timeZone?: string
}

/** The instructions of a response that speaks an agent's first message. */
const dictation = /^Say exactly this, word for word, and nothing else:\n(.+)$/s

/** The abilities in the order in which they are tried. The first one that answers wins. */
const skills: readonly Skill[] = [
  callRequired,
  continueDraft,
  respondToEmergency,
  smallTalk,
  holdBack,
  keepInstructions,
  compute,
  quoteKnown,
  callFitting,
  repeatCall,
  takeNote,
  searchFiles,
]

export function makeDemoModel(options: DemoModelOptions = {}): DemoModel {
  const { now = () => new Date(), timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone } = options
  const answer = ({ messages, tools, toolChoice: choice = 'auto' }: DemoRequest) => {
    const { talk, ...given } = readConversation(messages)
    const dictated = given.systemMessage.match(dictation)?.[1]
    if (dictated !== undefined) return say(dictated)
    const last = talk.at(-1)
    if (last === undefined) return say(greetingFrom(given.systemMessage))
    if (last.role === 'tool') return say(reportLastResults(talk))
    if (last.role !== 'user') return say('Is there anything else that I can do for you?')
    const question: Question = {
      ...given,
      words: last.text.replace(/[\u2018\u2019]/g, "'"),
      earlier: talk.slice(0, -1),
      tools: choice === 'none' ? [] : tools,
      choice,
      clock: { now: now(), timeZone },
    }
    for (const skill of skills) {
      const step = skill(question)
      if (step !== null) return step
    }
    return refuse(question)
  }
  return {
    step(request) {
      const step = answer(request)
      const { talk } = readConversation(request.messages)
      if (!request.responseSchema || step.calls.length > 0) return step
      const words = textsOf(talk, 'user').at(-1) ?? ''
      return say(inSchema(request.responseSchema, step.text, readUtterance(words, { now: now(), timeZone })))
    },
  }
}

/** Searches the files of the conversation for a question that nothing else answers. */
function searchFiles({ words, tools, passages, hasPictures }: Question): Step | null {
  const tool = tools.find(searchesConversation)
  if (tool === undefined || passages.length > 0 || hasPictures || !isQuestion(words)) return null
  const query = findQuery(words)
  return query === null ? null : call(tool, { query })
}

function isQuestion(words: string): boolean {
  const { kind, acts } = readRequest(words)
  if (specificWords(words).length === 0) return false
  if (/\?\s*$/.test(words) || kind === 'question' || acts.includes('read')) return true
  return kind === 'phrase' && wordsOf(words).length > 1 && !/\bme\b/i.test(words)
}
