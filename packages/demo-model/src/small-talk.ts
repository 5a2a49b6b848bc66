import { isSubAgent } from './choose-tool.js'
import { type Message, type Question, type Step, say, textsOf } from './conversation.js'
import { factsSaid, rememberedWords } from './quote.js'
import { readRequest } from './read-request.js'
import { disclosed, vary } from './refuse.js'
import { trouble } from './trouble.js'
import { capitalized, joinWords, toolPhrase } from './words.js'

type Reply = string | ((question: Question) => string)

const youAre = '(?:you are|you re|that was|that is|that s|this is)(?: just| really| very| so| a| an)*'
const iAm = '(?:i am|i m|i feel|i m feeling)(?: just| really| very| so| a bit)*'
const hello = '(?:hello|hi|hey|good (?:morning|afternoon|evening|day))'
const canYou = '(?:(?:can|could) you )?'
const ready = 'What can I do for you?'
const goodbye = 'Goodbye, and have a nice day.'
const welcome = 'You are welcome.'

/**
 * Small talk and its replies. A pattern covers a whole clause, so that no request is taken for small talk. In a message
 * with several clauses the first row wins.
 */
const rows: readonly (readonly [pattern: string, reply: Reply])[] = [
  [
    `${canYou}read (?:it|that|(?:my|the|your) notes?)(?: back)?(?: to me)?|did you (?:get|note) (?:that|it)|what (?:do you (?:know|remember)(?: about (?:me|us))?|(?:have|did) i (?:tell|told|say|said)(?: to)? you)(?: so far| before)?`,
    readBack,
  ],
  [`what (?:can you|are you able to) do|how can you help(?: me)?|help(?: me)?|what do you do`, abilities],
  [`what (?:kind of )?(?:things )?can i (?:ask|say|do)(?: you)?`, abilities],
  [`(?:who|what) are you|what (?:is|s) your name|which model are you`, introduce],
  [`are you (?:[a-z]+ ){0,3}?(?:robot|ai|human|person|machine|real|bot|demo model)`, introduce],
  [`(?:sorry )?what (?:did you say|was that)|pardon(?: me)?|what`, repeat],
  [`${canYou}(?:repeat|say)(?: (?:that|it|this))?(?: (?:again|once more))?`, repeat],
  [
    `(?:good ?)?bye(?: [a-z]+)?|good ?night|see you(?: later| soon| tomorrow)?|have a (?:nice|good) \\w+`,
    goodbye,
  ],
  [`(?:that is|that s) (?:all|it|everything)`, goodbye],
  [
    `(?:great |many |no |ok )?(?:thank you|thanks|thx|cheers)(?: (?:very|so) much| a lot)?(?: for .*| mate)?`,
    welcome,
  ],
  [`(?:that|this|you) (?:helped|have helped)(?: me)?(?: a lot)?`, welcome],
  [`(?:are you|is any(?:body|one)) (?:still )?(?:there|here)|can you hear me(?: now)?`, `Yes. ${ready}`],
  [
    `(?:and )?how (?:are|re|is|s) (?:you|things|it|everything)(?: doing| today| going)*`,
    `I am fine, thank you. ${ready}`,
  ],
  [`${youAre} (?:stupid|useless|terrible|awful|bad|wrong)`, 'I am sorry. Please say it in other words.'],
  [`${iAm} (?:sad|tired|sick|ill|lonely|stressed|worried)(?: today| now)?`, 'I am sorry to hear that.'],
  [`${youAre} (?:great|amazing|good|nice|helpful|kind|funny)|well done`, 'Thank you, that is kind of you.'],
  [`(?:it is |it s )?(?:nice|good|pleased) to meet you(?: too)?`, `Nice to meet you too. ${ready}`],
  [`${hello}(?: there| again)?|${hello} (?!what|who|when|where|why|how|can|is|i|please|do)[a-z]+`, greet],
  [`(?:i am |i m )?(?:so |very )?sorry(?: about (?:that|it))?|excuse me|oops`, 'No problem at all.'],
  [`yes|yeah|yep|sure|of course|please do|do it|go ahead`, 'What would you like me to do?'],
  [
    `(?:ok|okay)(?: then)?|alright|all right|fine|good|great|perfect|cool|i see|got it|no|ah|oh|well`,
    `All right. ${ready}`,
  ],
]
const matchers = rows.map(([pattern, reply]) => ({ pattern: new RegExp(`^(?:${pattern})$`), reply }))
/** The last rows may also answer a question of the model. */
const mayAnswer = matchers.slice(-3)

/** Words that may stand around a clause. */
const around =
  /^(?:(?:well|so|oh|and|but|then|hey|okay|ok|great|yes|no|now)\s+)+|\s+(?:then|now|there|anyway|today)$/g

/** Answers greetings, thanks and the like. */
export function smallTalk(question: Question): Step | null {
  const reply = matcherOf(question.words)?.reply ?? null
  return reply === null ? null : say(typeof reply === 'string' ? reply : reply(question))
}

/** Whether a message is small talk that answers no question. */
export function isSmallTalk(words: string): boolean {
  const matcher = matcherOf(words)
  return matcher !== undefined && !mayAnswer.includes(matcher)
}

function matcherOf(words: string) {
  const clauses = words.split(/[.!?;,\u2026]+|\s[-\u2013\u2014]\s|\band\b(?=\s+(?:bye|thanks|thank you))/i)
  const found = clauses.map(plainWords).flatMap((clause) => {
    const bare = clause.replace(around, '').trim()
    return clause === '' ? [] : [matchers.find(({ pattern }) => pattern.test(clause) || pattern.test(bare))]
  })
  return found.includes(undefined) ? undefined : matchers.find((matcher) => found.includes(matcher))
}

/** Returns a text in lower case without punctuation and "please". */
export function plainWords(words: string): string {
  const plain = words.toLowerCase().replace(/[^a-z0-9 ]+/g, ' ')
  return plain
    .replace(/\bplease\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function greet({ earlier, systemMessage }: Question): string {
  return textsOf(earlier, 'assistant').length === 0 ? greetingFrom(systemMessage) : `Hello again. ${ready}`
}

function introduce({ systemMessage, earlier }: Question): string {
  return disclosed(earlier, introductionFrom(systemMessage) ?? 'I am a program', true)
}

function repeat({ earlier }: Question): string {
  return textsOf(earlier, 'assistant').findLast((text) => text !== '') ?? 'I have not said anything before.'
}

/** Returns the greeting that the instructions give, or one with the agent's name and role. */
export function greetingFrom(systemMessage: string): string {
  const quoted =
    /\b(?:greet|greeting|say|start|begin|welcome)\b[^"\u201c]{0,100}["\u201c]([^"\u201d]{2,300})["\u201d]/i
  const own = quoted.exec(systemMessage)?.[1]?.trim()
  if (own !== undefined) return /[.!?]$/.test(own) ? own : `${own}.`
  const introduction = introductionFrom(systemMessage)
  return `Hello${introduction === null ? '' : `, ${introduction}`}. How can I help you?`
}

/** Returns "I am Ada, the assistant of Acme", as far as the instructions give name and role. */
function introductionFrom(systemMessage: string): string | null {
  const agent = "[A-Z][\\w'-]*(?: [A-Z][\\w'-]*)*"
  const name = new RegExp(`\\b[Yy]ou(?:r name is| are) (?!an?\\b|the\\b)(${agent})`)
  const role = new RegExp(`\\b[Yy]ou are (?:${agent},? )?((?:an?|the) [^.,;:\\n]{3,80})`)
  const parts = [name, role].flatMap((pattern) => pattern.exec(systemMessage)?.[1]?.trim() ?? [])
  return parts.length === 0 ? null : `I am ${parts.join(', ')}`
}

const maxNamedTools = 6

function abilities({ tools }: Question): string {
  const named = tools.slice(0, maxNamedTools).map((tool) => {
    const agent = isSubAgent(tool) ? /^Asks the agent ([^.]+)\./.exec(tool.description)?.[1] : undefined
    return agent === undefined ? toolPhrase(tool) : `pass questions on to ${agent}`
  })
  const more = tools.length > maxNamedTools ? [`use ${tools.length - maxNamedTools} more tools`] : []
  return `I can ${joinWords([...named, ...more, 'work out sums and dates', 'remember what you tell me'])}.`
}

const maxReadBack = 5

/** Repeats what the user has stated, in the user's own words. */
function readBack({ earlier }: Question): string {
  const said = textsOf(earlier, 'user').filter((text) => factsSaid([{ role: 'user', text }]).length > 0)
  return said.length === 0
    ? 'You have not told me anything yet.'
    : `You told me: ${said
        .slice(-maxReadBack)
        .map((text) => capitalized(rememberedWords(text) ?? text))
        .map((text) => (/[.!?]$/.test(text) ? text : `${text}.`))
        .join(' ')}`
}

/** A statement with a value, which the user may ask for later. */
const memorable = /(?<=\S\s+)(?!I\b)[A-Z]|\d|\b(?:favou?rite|name|number|code|password)\b/
const wantsToAsk =
  /\b(?:have|got) (?:an?|some|another|one more) (?:\w+ )?(?:questions?|problems?|requests?|ideas?)\b/i
const toPassOn = /^\W*(?:please )?(?:tell|let) .+\b(?:that|know)\b/i

const notes = [
  'I see. I have noted that, but I cannot act on it.',
  'That is noted. I cannot do more about it.',
  'I have taken note, though I cannot do anything about it.',
]

/** Answers statements: facts are remembered, complaints get sympathy. */
export function takeNote({ words, earlier }: Question): Step | null {
  const remembered = rememberedWords(words)
  if (remembered === null && readRequest(words).kind !== 'statement') return null
  const isFirst = textsOf(earlier, 'assistant').length === 0
  const greeting = isFirst && new RegExp(`^\\W*${hello}\\b`, 'i').test(words) ? 'Hello. ' : ''
  return say(`${greeting}${replyTo(words, remembered !== null, earlier)}`)
}

function replyTo(words: string, isAsked: boolean, earlier: readonly Message[]): string {
  if (toPassOn.test(words)) return 'I have noted that, but I cannot pass it on myself.'
  const isKept = factsSaid([{ role: 'user', text: words }]).length > 0
  if (isAsked && isKept) return 'I will remember that for as long as we talk.'
  if (wantsToAsk.test(words)) return 'Please go ahead.'
  if (trouble.test(words) || /\b(?:never|not)\b|n't\b/i.test(words))
    return 'I am sorry to hear that. I cannot solve it myself.'
  return isKept && memorable.test(words)
    ? 'I will remember that for as long as we talk.'
    : vary(notes, earlier)
}
