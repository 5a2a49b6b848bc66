import { type Message, type Passage, type Question, type Step, say, textsOf } from './conversation.js'
import { hoursOfDay } from './opening-hours.js'
import { readRequest } from './read-request.js'
import { factsOnTopic } from './topics.js'
import { isInTrouble } from './trouble.js'
import { capitalized, meaningOf, stemsOf, wordsOf } from './words.js'

/** Words that a question may hold and that its answer need not repeat. */
const general = meaningOf(
  'per soon late early ones number kind type sort thing place time day date hour moment way answer question remember know tell told say said mean happen exactly long far often frequently possible allowed last bring take use go put come make find buy spend see one something anything item product after within somebody someone anybody do does it offer today visit',
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
  'keep kept',
]
  .map((line) => meaningOf(line))
  // For tools a delivery is an order, so these words are given as stems.
  .concat(new Set(['ship', 'deliver', 'delivery']))

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

const days = meaningOf('monday tuesday wednesday thursday friday saturday sunday')
const costs = meaningOf('cost price pay charge fee')
const rangeOfDays =
  /\b(?:daily|every day)\b|\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\s*(?:to|-|\u2013|through|until)\s*(?:mon|tue|wed|thu|fri|sat|sun)/i

const amount = String.raw`\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|hundred|thousand|half|\w+teen|free)\b`

const price = /[$\u20ac\u00a3]\s?\d+|\d[\d.]*\s?(?:\u20ac|euros?|dollars?|cents?|pounds?|francs?)|\bfree\b/i

/** Kinds of questions and how a sentence looks that holds such a value. */
const values: readonly (readonly [question: RegExp, value: RegExp])[] = [
  [
    /\bhow (?:much (?:is|are|do|does|for|would|will)|expensive)\b|\b(?:price|cost|fee|charge)s?\b/i,
    new RegExp(`${price.source}|^(?=.*\\b(?:cost|price|fee|charge)).*(?:${amount})`, 'i'),
  ],
  [/\bhow much\b/i, new RegExp(amount, 'i')],
  [
    /\bhow (?:often|frequently|regularly)\b/i,
    /\b(?:every|each|once|twice|daily|weekly|monthly|yearly|annually|per|times|always|never)\b/i,
  ],
  [
    /\bhow (?:long|soon)\b/i,
    /(?<!\b(?:every|each|per)\s(?:\w+\s)?)\b(?:second|minute|hour|day|week|month|year|night)s?\b|\buntil\b/i,
  ],
  [
    /\bwhen\b|\bwhat time\b|\bhow (?:late|early)\b/i,
    new RegExp(
      String.raw`${amount}|\b(?:am|pm|noon|midnight|morning|evening|night|after|before|until|when|\w+days?)\b`,
      'i',
    ),
  ],
  [
    /\bwhere\b/i,
    /\b(?:in|at|on|near|behind|under|above|below|beside|next to|from|opposite|inside|outside)\b(?!\s+[$\u20ac\u00a3]?\d[\d.:]*\s*(?:euros?|dollars?|[ap]\.?m|minutes?|hours?|days?|\W*$))/i,
  ],
]

/** Amounts of one kind, and limits for them: "free from 50 euros" answers a question about 60 euros. */
const limits = [
  'euros?|dollars?|pounds?|francs?',
  'minutes?|hours?|days?|nights?|weeks?|months?|years?',
  'kilomet(?:er|re)s?|km|miles?',
].map((unit) => ({
  amount: new RegExp(`\\d (?:${unit})\\b`, 'i'),
  limit: new RegExp(
    `\\b(?:from|within|over|above|under|below|until|up to|at (?:least|most)|(?:more|less|fewer) than) \\d[\\d.]* (?:${unit})\\b`,
    'i',
  ),
}))

/** A name of several words says nothing about its words: "Linden Tea House is in Graz" is not about tea. */
const longName = /(?:[A-Z][a-z]+ ){2,}[A-Z][a-z]+/g

/** Whether a sentence holds the kind of value that was asked for. */
function holdsValue(words: string, sentence: string): boolean {
  const counted = /\bhow many (\w+)/i.exec(words)?.[1]?.replace(/(?:es|s)$/i, '')
  if (counted !== undefined)
    return new RegExp(String.raw`(?:${amount}|\bno\b|\bnone\b)\w*\s+(?:\w+\s+){0,2}${counted}`, 'i').test(
      sentence,
    )
  const [question, value] = values.find(([asked]) => asked.test(words)) ?? []
  // A price does not say when.
  const told = question?.test('when') === true ? sentence.replace(new RegExp(price, 'gi'), '') : sentence
  return value?.test(told) ?? true
}

/** Returns the words of a question that an answer must be about. */
export function specificWords(words: string): readonly string[] {
  return [...meaningOf(words)].filter((word) => !general.has(word))
}

/** Returns whether a sentence covers everything that was asked for, and nothing that excludes it. */
function answers(words: string, sentence: string): boolean {
  const isNamed = (name: string) => words.toLowerCase().includes(name.toLowerCase())
  const about = sentence.replace(longName, (name) => (isNamed(name) ? name : ''))
  const [asked, told] = [meaningOf(words), new Set([...meaningOf(about), ...stemsOf(about)])]
  const wanted = specificWords(words)
  const isSaid = (word: string) =>
    told.has(word) ||
    alike.some((group) => group.has(word) && [...group].some((other) => told.has(other))) ||
    (/^\d+$/.test(word) && limits.some(({ amount, limit }) => amount.test(words) && limit.test(sentence))) ||
    (days.has(word) && rangeOfDays.test(sentence)) ||
    (costs.has(word) && price.test(sentence))
  if (!wanted.every(isSaid) || !holdsValue(words, sentence)) return false
  // "Can I come on Saturday?" asks for opening hours.
  if (wanted.every((word) => days.has(word)) && !/\b(?:open|clos|hours)/i.test(sentence)) return false
  return !contrasts.some((kind) => {
    const [named, given] = [asked, told].map((all) => [...all].filter((word) => kind.has(word)))
    return named?.some(isSaid) === false && named.length > 0 && (given?.length ?? 0) > 0
  })
}

/** A reference to the message before: "How long does a new one take?" */
const pronoun = /\b(?:it|they|them|those|(?:(?:an?|the|new|that|this) )+(?:\w+ )?ones?)\b/i
const recall = /\bmy\b|\b(?:did|have) i\b/i

/** Answers from the instructions, the files or what the user said. */
export function quoteKnown({ words: said, systemMessage, earlier, passages }: Question): Step | null {
  const { kind } = readRequest(said)
  const question = isInTrouble(said)
    ? (said
        .trim()
        .split(/[,.;!?]\s+/)
        .at(-1) ?? '')
    : said
  // "Can I come on Wednesday at 3 pm?" is answered by the sentence about Wednesdays.
  const words = question
    .replace(/\bat \d+(?::\d+)?(?: ?[ap]\.?m\b)?/i, '')
    .replace(/\bgoods\b/i, 'things')
    .replace(
      /\b(?:send|bring|take|give|ship|mail) (?:(?:my|the|an?|some|this|that) )?(\w+) back\b/i,
      'return $1',
    )
    .replace(/(day)s? (?:morning|afternoon|evening|night)\b/i, '$1')
  // A single word does not ask for anything.
  if (kind === 'statement' || (kind === 'phrase' && wordsOf(words).length < 2)) return null
  const [given, told] = [statementsIn(systemMessage), factsSaid(earlier)]
  // The instructions do not tell what happened.
  const isPersonal = /\bdo i have\b(?! to)|^\W*(?:did|have|has)\b/i.test(words)
  const facts = bestFacts(words, [
    ...(isPersonal ? [] : given),
    ...told.filter((fact) => shareWord(words, fact)),
  ])
  const answer =
    factsOnTopic(said, given) ??
    aboutPreferences(words, told) ??
    aboutEarlier(words, earlier, given) ??
    // Of statements of the user that fit equally the last one holds.
    facts.findLast((fact) => told.includes(fact)) ??
    (facts.length > 0 ? hoursOfDay(words, facts).join(' ') : null) ??
    recalled(words, told) ??
    listAsked(words, systemMessage, given) ??
    answerFromPassages(words, passages)
  return answer === null ? null : say(answer)
}

/** Whether two sentences share a word itself, not only a synonym. */
function shareWord(one: string, other: string): boolean {
  const stems = stemsOf(other)
  return stemsOf(one).some((word) => stems.includes(word))
}

/** Returns the facts that answer most closely, or none if there are too many. */
function bestFacts(words: string, facts: readonly string[]): readonly string[] {
  const asked = specificWords(words)
  if (asked.length === 0) return []
  const share = (fact: string) => [...meaningOf(fact)].filter((word) => asked.includes(word)).length
  const fitting = facts.slice(-maxFacts).filter((fact) => answers(words, fact))
  const most = Math.max(0, ...fitting.map(share))
  const best = fitting.filter((fact) => share(fact) === most)
  return best.length > maxQuoted ? [] : best
}

/** Puts a subject of the message before in place of "it", and answers if only one fact fits. */
function aboutEarlier(words: string, earlier: readonly Message[], facts: readonly string[]): string | null {
  const isValueAsked = values.some(([question]) => question.test(words))
  if (!pronoun.test(words) || (specificWords(words).length === 0 && !isValueAsked)) return null
  const subjects = specificWords(textsOf(earlier, 'user').at(-1) ?? '')
  const found = new Set(subjects.flatMap((subject) => bestFacts(words.replace(pronoun, subject), facts)))
  return found.size === 1 ? ([...found][0] ?? null) : null
}

/** "What number did I give you?" */
function recalled(words: string, told: readonly string[]): string | null {
  const asked = [...meaningOf(words)]
  if (!recall.test(words) || asked.length === 0) return null
  return told.findLast((fact) => asked.every((word) => meaningOf(fact).has(word))) ?? null
}

/** "What tea do I like?" */
function aboutPreferences(words: string, told: readonly string[]): string | null {
  const [, thing = '', verb = ''] =
    /^\W*(?:what|which|who)\b(.*?)\bdo i (?:really )?(\w+)(?: (?:most|best))?\W*$/i.exec(words) ?? []
  const verbs = /^(?:like|love|prefer|enjoy)$/i.test(verb) ? 'like|love|prefer|enjoy' : verb
  const fitting = told.filter((fact) => new RegExp(`^You (?:${verbs})\\b`, 'i').test(fact)).slice(-maxQuoted)
  if (verb === '' || fitting.length === 0) return null
  // The value need not be of the kind that was asked for.
  return `${meaningOf(thing).size > 0 ? 'All I know about that: ' : ''}${fitting.join(' ')}`
}

const selling = '(?:sell|offer|have|serve|carry|stock)'

/** Returns the only list of the shop: "We have Salami, Tonno and Funghi" for a question about its pizzas. */
function listAsked(words: string, systemMessage: string, facts: readonly string[]): string | null {
  const range = new RegExp(
    `^\\W*(?:what|which)(?: \\w+ of)?(?: (?:products?|things?|goods|items))? (?:do you ${selling}|can (?:i|we|you) (?:buy|${selling}))(?: here| in stock)?\\W*$`,
    'i',
  )
  const thing = /^\W*(?:what|which)\s+(?:\w+ of )?(\w+) (?:do|can) (?:you|i|we)\b/i.exec(words)?.[1] ?? ''
  const isKnown = [...meaningOf(thing)].some((word) => meaningOf(systemMessage).has(word))
  if (!isKnown && !range.test(words)) return null
  const lists = facts.filter((fact) =>
    /^(?:we (?:have|offer|sell|serve|carry|stock)|there are)\b.*,.*\band\b|^we (?:sell|carry|stock)\b/i.test(
      fact,
    ),
  )
  // What is sold has a price.
  if (
    !isKnown &&
    !/\b(?:have|offer|serve)\b/i.test(words) &&
    !/^we (?:sell|carry|stock)\b/i.test(lists[0] ?? '') &&
    !price.test(lists[0] ?? '')
  )
    return null
  return lists.length === 1 ? (lists[0] ?? null) : null
}

const maxFacts = 60
const maxQuoted = 3

/** Sentences that tell the model how to behave. */
const instruction =
  /^(?:you\b|your\b|please\b|always\b|never\b|do not\b|don't\b|be\b|greet\b|say\b|answer\b|use\b|call\b|ask\b|speak\b|keep\b|take\b|pass\b|write\b|note\b|give\b|send\b|show\b|list\b|explain\b|let\b|remember\b|refuse\b|stay\b|try\b|ensure\b|provide\b|follow\b|create\b|if\b|when\b|respond\b|reply\b|help\b|act\b|begin\b|start\b|offer\b|only\b|avoid\b|make\b|tell\b|suggest\b|recommend\b|confirm\b|repeat\b|collect\b|check\b|look\b|introduce\b|apologi[sz]e\b|transfer\b|escalate\b|summari[sz]e\b)(?!-)/i
const confidential =
  /\b(?:secret|confidential|internal(?:ly)?|private|classified|password|(?:do not|don't|never|must not|may not) (?:tell|share|reveal|disclose|mention|say|give))\b/i

const maxReadCharacters = 20_000

/** Returns the facts of the instructions. A heading and its list are one fact. Instructions and secrets are left out. */
function statementsIn(systemMessage: string): string[] {
  const lines = withListsInLines(systemMessage.slice(0, maxReadCharacters))
    // Words that the model is to say are not facts.
    .replace(/[^.!?\n]*["\u201c][^"\u201d]*["\u201d][.!?]?/g, '\n')
    .split(/(?<=[.!?])(?<!\b(?:Mr|Mrs|Ms|Dr|St|Prof|No|approx)\.)\s+|\n+/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.endsWith(':'))
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

/** Writes a heading and the list below it in one line. */
function withListsInLines(text: string): string {
  const lines: string[] = []
  let isInList = false
  for (const line of text.replace(/\*\*/g, '').split('\n')) {
    const item = /^\s*(?:[-*\u2022]|\d+[.)])\s+(.+)/.exec(line)?.[1]?.trim()
    const last = lines.at(-1) ?? ''
    if (item !== undefined && (isInList || last.endsWith(':')))
      lines.splice(-1, 1, `${last}${isInList ? ',' : ''} ${item}`)
    else if (item !== undefined) lines.push(item)
    else if (line.trim() !== '')
      lines.push(/^#/.test(line) ? `${line.replace(/^#+\s*|[:\s]+$/g, '')}:` : line.trim())
    isInList = item !== undefined && (isInList || last.endsWith(':'))
  }
  return lines.join('\n')
}

const remembering =
  /^(?:please\s+)?(?:(?:remember|keep in mind|(?:make|take) a note|note)(?:\s*[:,]|\s+(?:that|of)\b)?|(?:tell|let) (?:\w+ ){1,3}?(?:that|know))\s+(.{3,}?)[.!?\s]*$/i

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
  const stated = (text: string) =>
    sentencesOf(text).filter((one) => !/^you\b/i.test(one) && readRequest(one).kind === 'statement')
  return textsOf(messages.slice(-maxMessages), 'user')
    .flatMap((text) => {
      const words = rememberedWords(text)
      const facts = stated(words ?? text)
      // A promise to remember holds for any words.
      return words !== null && facts.length === 0 ? [words] : facts
    })
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
