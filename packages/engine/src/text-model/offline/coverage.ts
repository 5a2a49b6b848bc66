import { meaningOf } from './words.js'

/** Words that many questions hold, and that an answer need not say again. */
const general = meaningOf(
  'name number kind type sort thing place time day date hour moment way answer question remember know tell told say said mean happen exactly long far often possible allowed last bring take use go put come make find buy see one somebody someone anybody do does it',
)

/** Words for one thing that tools tell apart and answers do not. */
const alike: readonly ReadonlySet<string>[] = [
  'open close closed opening closing',
  'cost price expensive pay charge fee',
  'warranty guarantee',
  'clean rinse wash wipe',
  'weigh weight heavy',
  'founded opened established started built begin',
  'dog dogs pet pets',
  'car vehicle',
  'big large',
  'color colour',
  'favorite favourite',
  'favorit favourit',
].map((line) => meaningOf(line))

/** Things of one kind that exclude one another: who asks for one is not told of another. */
const contrasts: readonly ReadonlySet<string>[] = [
  'small medium large big little',
  'single double twin triple family',
  'first second third fourth last',
  'monday tuesday wednesday thursday friday saturday sunday weekend',
  'january february march april may june july august september october november december',
  'spring summer autumn fall winter',
  'adult child children senior student',
  'breakfast lunch dinner supper brunch',
  'red green blue yellow black white orange brown grey gray',
  'hot cold warm',
  'left right',
  'morning afternoon evening night',
  'new old used',
  'cheap expensive',
  'standard premium basic deluxe',
].map((line) => meaningOf(line))

const amount = String.raw`\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|hundred|thousand|half|\w+teen|free)\b`

/** Which kind of value a question is after, and how a sentence looks that holds one. */
const values: readonly (readonly [question: RegExp, value: RegExp])[] = [
  [/\bhow (?:much|expensive)|\b(?:price|cost|fee|charge)s?\b/i, new RegExp(amount, 'i')],
  [
    /\bhow (?:often|frequently|regularly)\b/i,
    /\b(?:every|each|once|twice|daily|weekly|monthly|yearly|annually|per|times|always|never)\b/i,
  ],
  [/\bhow long\b/i, /\b(?:second|minute|hour|day|week|month|year|night)s?\b|\buntil\b/i],
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
const timePhrase = new RegExp(
  String.raw`\b(?:at|on|in|from|until|to|by) (?:the )?(?:${amount}|\w*days?\b|morning|afternoon|evening|night|noon|january|february|march|april|may|june|july|august|september|october|november|december)`,
  'gi',
)

/** Whether a sentence holds the kind of value that was asked for: who asks where is not told when. */
export function holdsValue(words: string, sentence: string): boolean {
  const counted = /\bhow many (\w+)/i.exec(words)?.[1]
  if (counted !== undefined) return countOf(counted).test(sentence)
  const [question, value] = values.find(([one]) => one.test(words)) ?? []
  if (question === undefined || value === undefined) return true
  if (question.source.includes('where')) return value.test(sentence.replace(timePhrase, ' '))
  // "Every two months" is how often, not how long.
  return value.test(
    question.source.includes('how long')
      ? sentence.replace(/\b(?:every|each|per|an?)\s+(?:\w+\s+)?\w+/gi, ' ')
      : sentence,
  )
}

/** A number with the counted thing right after it. */
function countOf(thing: string): RegExp {
  const singular = thing.replace(/(?:es|s)$/i, '')
  return new RegExp(String.raw`(?:${amount}|\bno\b|\bnone\b)\w*\s+(?:\w+\s+){0,2}${singular}`, 'i')
}

/** The words of a question that an answer must be about. */
export function specificWords(words: string): readonly string[] {
  return [...meaningOf(words)].filter((word) => !general.has(word))
}

/** What is asked for and does not stand in a sentence, in any of its words. */
export function uncovered(words: string, sentence: string): readonly string[] {
  const told = meaningOf(sentence)
  return specificWords(words).filter((word) => !isSaid(word, told))
}

/** Whether a sentence is about all that was asked for. */
export function isCovered(words: string, sentence: string): boolean {
  return uncovered(words, sentence).length === 0 && !contradicts(words, sentence)
}

/** Whether a sentence is about another one of the same kind: the small room for the large one. */
export function contradicts(words: string, sentence: string): boolean {
  const [asked, told] = [meaningOf(words), meaningOf(sentence)]
  return contrasts.some((kind) => {
    const wanted = [...asked].filter((word) => kind.has(word))
    const given = [...told].filter((word) => kind.has(word))
    return wanted.length > 0 && given.length > 0 && !wanted.some((word) => isSaid(word, told))
  })
}

function isSaid(word: string, told: ReadonlySet<string>): boolean {
  return (
    told.has(word) || alike.some((group) => group.has(word) && [...group].some((other) => told.has(other)))
  )
}
