import type { ModelMessage, ModelTool } from '../text-model.js'
import { disclosure, greetingFrom, introductionFrom } from './greeting.js'
import { joinWords, toolPhrase } from './words.js'

export interface Talk {
  readonly systemMessage: string
  /** What was said before, without the last words. */
  readonly earlier: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
}

type Reply = (talk: Talk, words: string) => string | null

/** Sentences that need no tool. Each pattern is for the whole of what was said, so that no request is taken for one. */
const replies: readonly (readonly [RegExp, Reply])[] = [
  [
    /^(?:hello|hi|hey|good (?:morning|afternoon|evening)|greetings)(?: there| again)?$/,
    (talk) => greet(talk),
  ],
  [
    /^(?:thank you|thanks|many thanks|thank you (?:very|so) much|great thanks|ok thanks|perfect thank you)$/,
    () => 'You are welcome.',
  ],
  [
    /^(?:good ?bye|bye|bye bye|see you(?: later)?|that is all|that s all|that will be all)(?: thanks| thank you)?$/,
    () => 'Goodbye.',
  ],
  [/^(?:how are you|how are you doing)(?: today)?$/, () => 'I am fine, thank you. What can I do for you?'],
  [
    /^(?:who|what) are you$|^are you (?:a |an )?(?:robot|ai|human|person|machine|computer|real|bot|real person)$|^what is your name$|^what s your name$|^who am i (?:talking|speaking) to$/,
    (talk) => introduce(talk),
  ],
  [
    /^(?:what can you do|help|help me|can you help me|how can you help(?: me)?|what are your (?:features|tools)|what do you do)$/,
    (talk) => capabilities(talk.tools),
  ],
  [
    /^(?:what is|what s|what was|what did i (?:say|tell you)(?: that)?|(?:(?:can|could) you )?tell me(?: again)?(?: what)?|do you (?:still )?(?:know|remember)(?: what)?) my name(?: is| was)?$|^who am i$/,
    (talk) => recallName(talk),
  ],
  [
    /^(?:what did i (?:just )?(?:say|ask)|what was my (?:last |first )?question|what did i (?:say|ask) (?:you )?(?:before|last|first|you)|what was the (?:first|last) thing (?:that )?i (?:said|asked)(?: you)?)$/,
    (talk, words) => recallQuestion(talk, words),
  ],
  [
    /^(?:what did you (?:just )?say|repeat that|say that again|can you repeat that|please repeat that|pardon|come again)$/,
    (talk) => repeat(talk),
  ],
  [
    /^(?:yes|yeah|yep|no|nope|ok|okay|sure|fine|right|never ?mind|forget it)$/,
    () => 'All right. What can I do for you?',
  ],
]

/** An answer to what people say besides their request, or null. */
export function smallTalk(talk: Talk, words: string): string | null {
  const plain = plainWords(words)
  for (const [pattern, reply] of replies) if (pattern.test(plain)) return reply(talk, plain)
  const name = nameTold(words)
  return name === null ? null : `Nice to meet you, ${name}. What can I do for you?`
}

export function plainWords(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^a-z0-9 ]+/g, ' ')
    .replace(/\bplease\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

export function capabilities(tools: readonly ModelTool[]): string {
  if (tools.length === 0)
    return `${disclosure} I have no tools here, so all I can do is to greet you and to remember what you say.`
  const names = tools.slice(0, 6).map(({ name }) => toolPhrase(name))
  const all = joinWords(tools.length > 6 ? [...names, `${tools.length - 6} more`] : names)
  return `${disclosure} My tools are: ${all}. Ask for one of them in plain words.`
}

function greet({ systemMessage, earlier }: Talk): string {
  const hasSpoken = earlier.some(({ role }) => role === 'assistant')
  return hasSpoken ? 'Hello again. What can I do for you?' : greetingFrom(systemMessage)
}

function introduce({ systemMessage }: Talk): string {
  const introduction = introductionFrom(systemMessage)
  const words = introduction === null ? '' : `${introduction}. `
  return `${words}${disclosure} I am a program, not a person, and I understand simple requests only.`
}

function recallName({ earlier }: Talk): string {
  const name = userTexts(earlier)
    .map(nameWithin)
    .findLast((found) => found !== null)
  return name === undefined ? 'You have not told me your name.' : `Your name is ${name}.`
}

function recallQuestion({ earlier }: Talk, words: string): string {
  const said = userTexts(earlier)
  const text = words.includes('first') ? said[0] : said.at(-1)
  return text === undefined ? 'You have not said anything before.' : `You said: ${text}`
}

function repeat({ earlier }: Talk): string {
  const last = earlier.findLast((message) => message.role === 'assistant' && message.text !== '')
  return last?.role === 'assistant' ? last.text : 'I have not said anything before.'
}

function userTexts(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) => (message.role === 'user' ? [message.text] : []))
}

/** The name of somebody who only says who they are, and perhaps what they are or like. */
function nameTold(words: string): string | null {
  const opening = /^\W*(?:(?:hello|hi|hey)\W+)?(?:my name is|my name's|call me|i am called)\s+/i
  const name = opening.test(words) ? nameWithin(words) : null
  if (name === null) return null
  const rest = words.slice(words.indexOf(name) + name.length)
  return /^\W*(?:(?:and )?i(?:'m| am| like| love| live| work)\b.*)?$/i.test(rest) ? name : null
}

/** A name that was told among other things. Without a capital letter nobody knows where it ends: it is one word then. */
function nameWithin(words: string): string | null {
  const told = /\b(?:my name is|my name's|call me|i am called)\s+/i.exec(words)
  const rest = told === null ? '' : words.slice(told.index + told[0].length)
  return /^(?:[A-Z][\w'-]*(?: [A-Z][\w'-]*)*|[a-z][\w'-]*)/.exec(rest)?.[0] ?? null
}
