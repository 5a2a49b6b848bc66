import { type Message, type Passage, type Question, type Step, say, textsOf } from './conversation.js'
import { readRequest } from './read-request.js'
import { capitalized, meaningOf, wordsOf } from './words.js'

/** Words that a question may hold and that its answer need not repeat. */
const general = meaningOf(
  'number kind type sort thing place time day date hour moment way answer question remember know tell told say said mean happen exactly long far often frequently possible allowed last bring take use go put come make find buy see one somebody someone anybody do does it offer today visit',
)

/** Words that mean the same in answers, although they differ for tools. */
const alike: readonly ReadonlySet<string>[] = [
  'open close closed opening closing',
  'cost price expensive pay charge fee',
  'warranty guarantee',
  'clean rinse wash wipe',
  'weigh weight heavy',
  'founded opened established started built begin',
  'dog dogs pet pets',
  'menu dish dishes food meal pizza pizzas',
  'color colour',
  'favorite favourite',
  'name named called',
].map((line) => meaningOf(line))

/** Words that exclude each other: a question about the large room is not answered by the small one. */
const contrasts: readonly ReadonlySet<string>[] = [
  'small medium large big little',
  'single double twin triple family',
  'first second third last',
  'monday tuesday wednesday thursday friday saturday sunday weekend',
  'adult child children senior student',
  'breakfast lunch dinner brunch',
  'red green blue yellow black white',
  'morning afternoon evening night',
].map((line) => meaningOf(line))

const amount = String.raw`\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|hundred|thousand|half|\w+teen|free)\b`

/** Kinds of questions and how a sentence looks that holds such a value. */
const values: readonly (readonly [question: RegExp, value: RegExp])[] = [
  [/\bhow (?:much|expensive)|\b(?:price|cost|fee|charge)s?\b/i, new RegExp(amount, 'i')],
  [
    /\bhow (?:often|frequently|regularly)\b/i,
    /\b(?:every|each|once|twice|daily|weekly|monthly|yearly|annually|per|times|always|never)\b/i,
  ],
  [
    /\bhow long\b/i,
    /(?<!\b(?:every|each|per)\s(?:\w+\s)?)\b(?:second|minute|hour|day|week|month|year|night)s?\b|\buntil\b/i,
  ],
  [
    /\bwhen\b|\bwhat time\b/i,
    new RegExp(
      String.raw`${amount}|\b(?:am|pm|noon|midnight|morning|evening|night|after|before|until|when|\w+days?)\b`,
      'i',
    ),
  ],
  [
    /\bwhere\b/i,
    /\b(?:in|at|on|near|behind|under|above|below|beside|next to|from|opposite|inside|outside)\b/i,
  ],
]

/** Whether a sentence holds the kind of value that was asked for. */
function holdsValue(words: string, sentence: string): boolean {
  const counted = /\bhow many (\w+)/i.exec(words)?.[1]?.replace(/(?:es|s)$/i, '')
  if (counted !== undefined)
    return new RegExp(String.raw`(?:${amount}|\bno\b|\bnone\b)\w*\s+(?:\w+\s+){0,2}${counted}`, 'i').test(
      sentence,
    )
  return values.find(([question]) => question.test(words))?.[1].test(sentence) ?? true
}

/** Returns the words of a question that an answer must be about. */
export function specificWords(words: string): readonly string[] {
  return [...meaningOf(words)].filter((word) => !general.has(word))
}

/** Returns whether a sentence covers everything that was asked for, and nothing that excludes it. */
function answers(words: string, sentence: string): boolean {
  const [asked, told] = [meaningOf(words), meaningOf(sentence)]
  const isSaid = (word: string) =>
    told.has(word) || alike.some((group) => group.has(word) && [...group].some((other) => told.has(other)))
  if (!specificWords(words).every(isSaid) || !holdsValue(words, sentence)) return false
  return !contrasts.some((kind) => {
    const [wanted, given] = [asked, told].map((all) => [...all].filter((word) => kind.has(word)))
    return wanted?.some(isSaid) === false && wanted.length > 0 && (given?.length ?? 0) > 0
  })
}

/** Answers from the instructions, the files or what the user said. */
export function quoteKnown({ words: said, systemMessage, earlier, passages }: Question): Step | null {
  const { kind } = readRequest(said)
  // "Can I come on Wednesday at 3 pm?" is answered by the sentence about Wednesdays.
  const words = said.replace(/\bat \d+(?::\d+)?(?: ?[ap]\.?m\b)?/i, '')
  // A single word does not ask for anything.
  if (kind === 'statement' || (kind === 'phrase' && wordsOf(words).length < 2)) return null
  const asked = specificWords(words)
  if (asked.length === 0) return null
  const share = (fact: string) => [...meaningOf(fact)].filter((word) => asked.includes(word)).length
  const known = [...statementsIn(systemMessage), ...factsSaid(earlier)]
    .slice(-maxFacts)
    .filter((fact) => answers(words, fact))
    // Of facts that fit equally the last one holds.
    .sort((one, other) => share(one) - share(other))
    .at(-1)
  const answer = known ?? answerFromPassages(words, passages)
  return answer === null ? null : say(answer)
}

const maxFacts = 60

/** Sentences that tell the model how to behave. */
const instruction =
  /^(?:you\b|your\b|please\b|always\b|never\b|do not\b|don't\b|be\b|greet\b|say\b|answer\b|use\b|call\b|ask\b|speak\b|keep\b|take\b|pass\b|write\b|note\b|give\b|send\b|show\b|list\b|explain\b|let\b|remember\b|refuse\b|stay\b|try\b|ensure\b|provide\b|follow\b|create\b|if\b|when\b|respond\b|reply\b|help\b|act\b|begin\b|start\b|offer\b|only\b|avoid\b|make\b|tell\b|suggest\b|recommend\b|confirm\b|repeat\b|collect\b|check\b|look\b|introduce\b|apologi[sz]e\b|transfer\b|escalate\b|summari[sz]e\b)/i
const confidential =
  /\b(?:secret|confidential|internal(?:ly)?|private|classified|password|(?:do not|don't|never|must not|may not) (?:tell|share|reveal|disclose|mention|say|give))\b/i

const maxReadCharacters = 20_000

/** Returns the facts of the instructions. A heading and its list are one fact. Instructions and secrets are left out. */
function statementsIn(systemMessage: string): string[] {
  const lines = systemMessage
    .slice(0, maxReadCharacters)
    // Words that the model is to say are not facts.
    .replace(/[^.!?\n]*["\u201c][^"\u201d]*["\u201d][.!?]?/g, '\n')
    .replace(/:[ \t]*\n+\s*[-*\u2022]\s+/g, ': ')
    .replace(/(?<=: [^\n]*)\n+\s*[-*\u2022]\s+/g, ', ')
    .split(/(?<=[.!?])\s+|\n+/)
    .map((line) => line.replace(/^[-*\u2022\s]+|^\d+\.\s+/, '').trim())
    .filter((line) => line !== '')
  return lines
    .filter(
      (line, index) =>
        line.length > 8 &&
        line.length < 400 &&
        !instruction.test(line) &&
        !confidential.test(line) &&
        !confidential.test(lines[index + 1] ?? ''),
    )
    .map((line) => (/[.!?]$/.test(line) ? line : `${line}.`))
}

const remembering =
  /^(?:please\s+)?(?:remember|keep in mind|(?:make|take) a note|note)(?:\s*[:,]|\s+(?:that|of)\b)?\s+(.{3,}?)[.!?\s]*$/i

/** Returns what a message asks to remember, or null. */
export function rememberedWords(text: string): string | null {
  return remembering.exec(text.trim())?.[1] ?? null
}

/** Sentences that ask for something and state nothing. */
const request =
  /^(?:what|which|who|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|would|will|shall|should|may|have|has|please|tell|show|give|find|search|look|create|make|add|set|send|book|cancel|remind|remember|call|let|turn|start|stop|and|or|thanks?|hello|hi|hey)\b/i
/** Reading all of a long conversation would take longer with every message. */
const maxMessages = 120

/** Returns what the user stated, turned to the second person. */
export function factsSaid(messages: readonly Message[]): string[] {
  return textsOf(messages.slice(-maxMessages), 'user')
    .flatMap((text) => sentencesOf(rememberedWords(text) ?? text))
    .filter((sentence) => !/^you\b/i.test(sentence) && readRequest(sentence).kind === 'statement')
    .map(toldBack)
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?;])\s+|\n+|\s+and\s+(?=i\b)/i)
    .map((one) =>
      one.replace(/^(?:(?:hello|hi|hey|well|so|okay|ok|yes|no|by the way)\b[,.!\s]*)+/i, '').trim(),
    )
    .filter((one) => one.length > 5 && one.length < 300 && !/\?$/.test(one) && !request.test(one))
    .map((one) => one.replace(/[.!;,\s]+$/, ''))
}

const secondPerson = new Map(
  "my your,mine yours,me you,i you,i'm you are,our your,we you,us you,am are".split(',').map((pair) => {
    const [first = '', ...second] = pair.split(' ')
    return [first, second.join(' ')] as const
  }),
)

/** "My order number is 4711" becomes "Your order number is 4711". */
function toldBack(statement: string): string {
  const turned = statement.replace(
    /\b(?:i'm|i|my|mine|me|our|we|us|am)\b/gi,
    (word) => secondPerson.get(word.toLowerCase()) ?? word,
  )
  return turned === statement ? `You told me: ${statement}.` : `${capitalized(turned)}.`
}

/** The mark of a Markdown heading. */
const heading = /^#{1,6}\s+/
const maxSentenceCharacters = 400

interface Sentence {
  readonly passage: Passage
  readonly text: string
  /** The heading above the sentence, which belongs to its meaning. */
  readonly context: string
}

export const nothingInFiles = 'I found nothing about that in the files. Ask for it in other words.'

/** Quotes the sentence of the files that answers a question, with its place. Returns null if none does. */
export function answerFromPassages(words: string, passages: readonly Passage[]): string | null {
  const wanted = specificWords(words)
  if (wanted.length === 0) return null
  const fitting = passages
    .flatMap(readSentences)
    .filter(({ text, context }) => !heading.test(text) && answers(words, `${context} ${text}`))
  const count = ({ text }: Sentence) => [...meaningOf(text)].filter((word) => wanted.includes(word)).length
  const [first, ...others] = fitting
  if (first === undefined) return null
  const best = others.reduce((one, other) => (count(other) > count(one) ? other : one), first)
  return quoted(best.passage, best.context === '' ? best.text : `${best.context}: ${best.text}`)
}

function quoted({ file, place }: Passage, text: string): string {
  return `In ${place === null ? file : `${file}, ${place}`}: "${text}"`
}

/** Splits a passage at full stops and line ends, since headings and table rows have no full stop. */
function readSentences(passage: Passage): Sentence[] {
  let context = ''
  return passage.text
    .replace(/([^\n.!?:])\n(?=[a-z])/g, '$1 ')
    .split(/(?<=[.!?])["')\]]*\s+(?=\S)|\n+/)
    .map((text) => text.replace(/\s+/g, ' ').trim().slice(0, maxSentenceCharacters))
    .filter((text) => text.length > 8)
    .map((text) => {
      if (heading.test(text)) context = text.replace(heading, '')
      return { passage, text, context: heading.test(text) ? '' : context }
    })
}
