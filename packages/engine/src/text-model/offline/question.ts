import { makeId } from '../../protocol/ids.js'
import type { ModelCall, ModelMessage, ModelTool, ToolChoice } from '../text-model.js'
import type { Embedder } from './embedder.js'
import { type Arguments, missingParameter, questionFor } from './fill-arguments.js'
import { type Passage, readPassages } from './passages.js'
import type { LocalClock } from './wall-time.js'

export interface OfflineStep {
  readonly text: string
  readonly calls: readonly ModelCall[]
}

/** What was said last, with all that there is to go by. */
export interface Question {
  readonly embedder: Embedder
  readonly systemMessage: string
  /** What files hold about it. */
  readonly passages: readonly Passage[]
  readonly hasPictures: boolean
  readonly words: string
  readonly earlier: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly choice: ToolChoice
  readonly clock: LocalClock
}

/** One thing that the model can do: null where what was said is not for it. */
export type Skill = (question: Question) => OfflineStep | null | Promise<OfflineStep | null>

/** How much of a message is read: what somebody wants stands at its beginning, and reading takes time of all sessions. */
const maxReadCharacters = 1000

/** What the service says about files besides their passages. */
const fileNotes =
  /^(?:Attached images|Images too large to attach|Files without text that could be read): .*$/gm

/** Who says what: instructions, files that somebody gave to answer from, and the conversation without them. */
export function sortMessages(messages: readonly ModelMessage[]) {
  const passages: Passage[] = []
  let hasPictures = false
  const withoutFiles = (text: string) => {
    const { passages: found, rest } = readPassages(text)
    passages.push(...found)
    const plain = rest.replace(fileNotes, (note) => {
      hasPictures ||= !note.startsWith('Files')
      return ''
    })
    return plain === text ? text : plain.trim()
  }
  const rest = messages.map((message) => {
    if (message.role === 'tool') return message
    const text = message.role === 'assistant' ? message.text : withoutFiles(message.text)
    return { ...message, text: message.role === 'system' ? text : text.slice(0, maxReadCharacters) }
  })
  const systemMessage = rest
    .flatMap((message) => (message.role === 'system' ? [message.text] : []))
    .join('\n')
  const talk = rest.filter(
    (message) => message.role !== 'system' && !(message.role === 'user' && message.text === ''),
  )
  return { systemMessage, passages, hasPictures, talk }
}

/** What is typed in haste, as it is meant. */
export function asMeant(words: string): string {
  return words
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\b(what|where|who|how|when|that|there|it)s(?= (?!s\b)\w)/gi, (match, word: string) =>
      /^its/i.test(match) ? match : `${word}'s`,
    )
    .replace(/\b(don|can|won|isn|aren|doesn|didn|couldn|wouldn|shouldn|wasn|hasn|haven)t\b/gi, "$1't")
    .replace(/\bim\b/gi, "I'm")
    .replace(/\bive\b/gi, "I've")
    .replace(/\b(?:pls|plz)\b/gi, 'please')
    .replace(/\bu\b/g, 'you')
}

export function say(text: string): OfflineStep {
  return { text, calls: [] }
}

export function call(tool: ModelTool, given: Arguments): OfflineStep {
  return { text: '', calls: [{ callId: makeId('call'), name: tool.name, arguments: JSON.stringify(given) }] }
}

export function callOrAsk(tool: ModelTool, filled: Arguments): OfflineStep {
  const missing = missingParameter(tool, filled)
  return missing === null ? call(tool, filled) : say(questionFor(tool, missing))
}

/** The last call of the conversation, where nothing but its result and what was said about it came after. */
export function lastCall(
  earlier: readonly ModelMessage[],
  tools: readonly ModelTool[],
): { readonly tool: ModelTool; readonly given: Arguments } | null {
  const lastWords = earlier.findLastIndex(({ role }) => role === 'user')
  const last = earlier
    .slice(lastWords + 1)
    .flatMap((message) => (message.role === 'assistant' ? message.calls : []))
    .at(-1)
  const tool = tools.find(({ name }) => name === last?.name)
  return tool === undefined || last === undefined ? null : { tool, given: parseArguments(last.arguments) }
}

function parseArguments(text: string): Arguments {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
