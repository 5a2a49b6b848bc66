import { randomBytes } from 'node:crypto'
import type { LocalClock } from './wall-time.js'

/** A tool that the model may call. `parameters` is the JSON schema of its arguments. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A tool call. `arguments` is JSON text. */
export interface ToolCall {
  readonly callId: string
  readonly name: string
  readonly arguments: string
}

export type Message =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly output: string }

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** The words and calls of the model in one step. */
export interface Step {
  readonly text: string
  readonly calls: readonly ToolCall[]
}

export type Arguments = Readonly<Record<string, unknown>>

/** A piece of a file that was put into the conversation to answer from. */
export interface Passage {
  readonly file: string
  /** The place in the file, such as "page 3", or null if the file has no places. */
  readonly place: string | null
  readonly text: string
}

/** The last user message, with everything that an answer may draw on. */
export interface Question {
  readonly words: string
  readonly systemMessage: string
  readonly passages: readonly Passage[]
  readonly hasPictures: boolean
  /** The messages before the question, without system messages. */
  readonly earlier: readonly Message[]
  /** Empty if no tool may be called. */
  readonly tools: readonly Tool[]
  readonly choice: ToolChoice
  readonly clock: LocalClock
}

/** One ability of the model. Returns null if the question is not for it. */
export type Skill = (question: Question) => Step | null

/**
 * Only the beginning of a message is read for a request, because a long message must not delay other
 * sessions.
 */
const maxReadCharacters = 1000
/** Notes that the service adds about files without passages. */
const fileNotes = /^(?:Attached images|Images too large to attach|Files without readable text): .*$/gm

/** Separates instructions, passages of files and the conversation itself. */
export function readConversation(messages: readonly Message[]) {
  const passages: Passage[] = []
  let hasPictures = false
  const withoutFiles = (text: string): string => {
    const { passages: found, rest } = readPassages(text)
    passages.push(...found)
    hasPictures ||= rest.match(fileNotes)?.some((note) => !note.startsWith('Files')) === true
    const plain = rest.replace(fileNotes, '')
    return plain === text ? text : plain.trim()
  }
  const read = messages.map((message): Message => {
    if (message.role === 'tool') return message
    const text = message.role === 'assistant' ? message.text : withoutFiles(message.text)
    return { ...message, text: message.role === 'system' ? text : text.slice(0, maxReadCharacters) }
  })
  const systemMessage = read.flatMap((one) => (one.role === 'system' ? [one.text] : [])).join('\n')
  const talk = read.filter((one) => one.role !== 'system' && !(one.role === 'user' && one.text === ''))
  return { systemMessage, passages, hasPictures, talk }
}

const [opening, closing, passageEnd] = ['<files>', '</files>', '</passage>'] as const
const passage = /<passage file="([^"]*)"(?: place="([^"]*)")?>\n([\s\S]*?)\n?<\/passage>/g

/**
 * Takes the passages of files out of a text, since they are material and not instructions. Marks are found with indexOf:
 * a regular expression would take quadratic time on opening marks without an end.
 */
export function readPassages(text: string): { readonly passages: readonly Passage[]; readonly rest: string } {
  const passages: Passage[] = []
  let rest = ''
  let position = 0
  for (;;) {
    const start = text.indexOf(`${opening}\n`, position)
    const end = start < 0 ? -1 : text.indexOf(closing, start)
    if (end < 0) return { passages, rest: rest + text.slice(position) }
    // The line before a block introduces it.
    const introduction = text[start - 1] === '\n' ? text.lastIndexOf('\n', start - 2) + 1 : start
    rest += text.slice(position, Math.max(position, introduction))
    passages.push(...passagesIn(text.slice(start + opening.length, end)))
    position = end + closing.length
  }
}

function passagesIn(inside: string): Passage[] {
  // A passage that begins after the last end mark has no end.
  const whole = inside.slice(0, inside.lastIndexOf(passageEnd) + passageEnd.length)
  return [...whole.matchAll(passage)].map(([, file = '', place = '', words = '']) => ({
    file: unescaped(file),
    place: place === '' ? null : unescaped(place),
    text: unescaped(words),
  }))
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name] ?? '')
}

export function say(text: string): Step {
  return { text, calls: [] }
}

export function call(tool: Tool, given: Arguments): Step {
  const callId = `call_${randomBytes(12).toString('hex')}`
  return { text: '', calls: [{ callId, name: tool.name, arguments: JSON.stringify(given) }] }
}

/** Returns the texts of one side of the conversation. */
export function textsOf(messages: readonly Message[], role: 'user' | 'assistant'): string[] {
  return messages.flatMap((message) => (message.role === role ? [message.text] : []))
}
