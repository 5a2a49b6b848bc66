import { contradicts, holdsValue, specificWords, uncovered } from './coverage.js'
import { assumedLikeness, type Embedder, likeness } from './embedder.js'
import type { Fact } from './facts.js'
import type { Passage } from './passages.js'
import { meaningOf } from './words.js'

/** Below this a sentence does not answer a question. Measured on questions for and beside the point. */
const minScore = 0.55
const wordWeight = 0.35
/** How much of what was asked for may be missing from a sentence that means nearly the same, else nothing may. */
const allowances: readonly (readonly [uncoveredShare: number, minLikeness: number])[] = [
  [0.34, 0.45],
  [0.5, 0.7],
]
/** The sentence after the best belongs to the answer where it is nearly as good. */
const neighbourShare = 0.8
/** To look at a sentence takes ten milliseconds; those that share the most words are looked at. */
const maxCompared = 24
const maxSentenceCharacters = 400

/** The mark of a heading in a file of Markdown. */
const heading = /^#{1,6}\s+/

interface Sentence {
  readonly passage: Passage
  readonly text: string
  readonly meaning: ReadonlySet<string>
}

/** The sentence of the files that answers best, with the place where it stands. */
export async function answerFromFiles(
  embedder: Embedder,
  words: string,
  passages: readonly Passage[],
): Promise<Fact | null> {
  const sentences = passages.flatMap(sentencesOf)
  const asked = meaningOf(words)
  const shares = sentences.map(shareOf(asked, rarity(sentences)))
  const compared = sentences
    .map((sentence, at) => ({ sentence, at, share: shares[at] ?? 0 }))
    .sort((one, other) => other.share - one.share)
    .slice(0, maxCompared)
  if (compared.length === 0) return null
  const vectors = await embedder.embed([words, ...compared.map(({ sentence }) => sentence.text)])
  const [question, ...others] = vectors ?? []
  const weight = rarity(sentences)
  const wanted = specificWords(words)
  const scored = compared
    .map((one, index) => {
      const meaning = question === undefined ? assumedLikeness : likeness(question, others[index] ?? [])
      const { text } = one.sentence
      const missing = uncovered(words, text)
      const missingShare = shareOfWeight(missing, wanted, weight)
      const isAbout =
        missing.length === 0 || allowances.some(([share, alike]) => missingShare <= share && meaning >= alike)
      const score = meaning + wordWeight * (1 - missingShare)
      return { ...one, score: isAbout && !contradicts(words, text) && holdsValue(words, text) ? score : 0 }
    })
    .filter(({ score }) => score >= minScore)
  if (scored.length === 0) return null
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one))
  const { passage } = best.sentence
  const following = sentences[best.at + 1]
  const next = following?.passage === passage ? following : undefined
  const nextScore = scored.find(({ sentence }) => sentence === next)?.score ?? 0
  // A heading says what it is about, and what stands below it says it.
  const isHeading = heading.test(best.sentence.text)
  const isNextPart = isHeading || nextScore >= best.score * neighbourShare
  const text = best.sentence.text.replace(heading, '')
  const answer = next !== undefined && isNextPart ? `${text}${isHeading ? ':' : ''} ${next.text}` : text
  return { fact: quote(passage, answer), score: best.score }
}

export const nothingInFiles = 'I found nothing about that in the files. Ask for it in other words.'

/** For what was found and answers nothing that the model understands. */
export function beginningOf([first]: readonly Passage[]): string {
  const sentence = first === undefined ? undefined : sentencesOf(first)[0]
  return first === undefined || sentence === undefined
    ? 'Nothing was found in the files.'
    : quote(first, sentence.text)
}

function quote({ file, place }: Passage, text: string): string {
  return `In ${place === null ? file : `${file}, ${place}`}: "${text}"`
}

/** Lines end sentences too: headings and rows of tables have no full stop. A line that only goes on is joined again. */
function sentencesOf(passage: Passage): Sentence[] {
  return passage.text
    .replace(/([^\n.!?:])\n(?=[a-z])/g, '$1 ')
    .split(/(?<=[.!?])["')\]]*\s+(?=\S)|\n+/)
    .map((text) => text.replace(/\s+/g, ' ').trim().slice(0, maxSentenceCharacters))
    .filter((text) => text.length > 8)
    .map((text) => ({ passage, text, meaning: meaningOf(text) }))
}

/** Words that stand everywhere say little about where an answer is. */
function rarity(sentences: readonly Sentence[]): (word: string) => number {
  const counts = new Map<string, number>()
  for (const { meaning } of sentences)
    for (const word of meaning) counts.set(word, (counts.get(word) ?? 0) + 1)
  return (word) => Math.log(1 + sentences.length / (counts.get(word) ?? 1))
}

function shareOfWeight(
  part: readonly string[],
  whole: readonly string[],
  weight: (word: string) => number,
): number {
  const sum = (all: readonly string[]) => all.reduce((total, word) => total + weight(word), 0)
  return whole.length === 0 ? 0 : sum(part) / sum(whole)
}

/** 0 to 1: how much of what was asked for stands in a sentence. */
function shareOf(asked: ReadonlySet<string>, weight: (word: string) => number) {
  const total = [...asked].reduce((sum, word) => sum + weight(word), 0)
  return ({ meaning }: Sentence): number => {
    const common = [...asked].filter((word) => meaning.has(word))
    return total === 0 ? 0 : common.reduce((sum, word) => sum + weight(word), 0) / total
  }
}
