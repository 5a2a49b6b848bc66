import type { ModelMessage } from '../text-model.js'
import { holdsValue, isCovered } from './coverage.js'
import { assumedLikeness, type Embedder, likeness } from './embedder.js'
import { nlp } from './nlp.js'
import { factsAnswered, factsSaid } from './said-facts.js'
import { meaningOf } from './words.js'

/** Below this a sentence does not answer a question. */
const minFactScore = 0.55
const wordWeight = 0.3
/** The newest of a long conversation. */
const maxFacts = 60

/** Sentences that tell the model how to behave, not what is so. */
const instruction =
  /^(?:you\b|your\b|please\b|always\b|never\b|do not\b|don't\b|be\b|greet\b|say\b|answer\b|use\b|call\b|ask\b|speak\b|keep\b|take\b|pass\b|write\b|note\b|give\b|send\b|show\b|list\b|explain\b|let\b|remember\b|refuse\b|stay\b|try\b|ensure\b|provide\b|follow\b|create\b|if\b|when\b|respond\b|reply\b|help\b|act\b|begin\b|start\b|offer\b|only\b|avoid\b|make\b|tell\b)/i

export interface Fact {
  readonly fact: string
  readonly score: number
}

/** A sentence of the system message, or something that the user has said, that answers a question. */
export function findFact(
  embedder: Embedder,
  words: string,
  systemMessage: string,
  earlier: readonly ModelMessage[],
): Promise<Fact | null> {
  return bestOf(embedder, words, [
    ...statementsIn(systemMessage),
    ...rememberedIn(earlier),
    ...factsSaid(earlier),
  ])
}

/** Something that was answered before. It may be so no more, so that a tool goes first. */
export function findAnsweredFact(
  embedder: Embedder,
  words: string,
  earlier: readonly ModelMessage[],
): Promise<Fact | null> {
  return bestOf(
    embedder,
    words,
    factsAnswered(earlier).map((fact) => `${fact}.`),
  )
}

async function bestOf(embedder: Embedder, words: string, all: readonly string[]): Promise<Fact | null> {
  const facts = all.slice(-maxFacts)
  if (facts.length === 0) return null
  const vectors = await embedder.embed([words, ...facts])
  const [asked, ...known] = vectors ?? []
  const said = meaningOf(words)
  const scored = facts.flatMap((fact, index) => {
    const common = [...meaningOf(fact)].filter((word) => said.has(word)).length / Math.max(1, said.size)
    const meaning = asked === undefined ? assumedLikeness : likeness(asked, known[index] ?? [])
    const score = meaning + wordWeight * common
    return isCovered(words, fact) && holdsValue(words, fact) ? [{ fact, score }] : []
  })
  if (scored.length === 0) return null
  // What was said last holds, where it is said again.
  const best = scored.reduce((a, b) => (b.score >= a.score ? b : a))
  return best.score >= minFactScore ? best : null
}

/** What must not be told, and what says so of the sentence before it. */
const confidential =
  /\b(?:secret|confidential|internal(?:ly)?|private|classified|(?:do not|don't|never|must not|may not) (?:tell|share|reveal|disclose|mention|say|give))\b/i

/** What the system message says to be so. How to behave is for the model alone, and so is what nobody is to know. */
function statementsIn(systemMessage: string): string[] {
  const lines = systemMessage
    // Words that it is to say are no facts.
    .replace(/[^.!?\n]*["\u201c][^"\u201d]*["\u201d][.!?]?/g, '\n')
    .split(/(?<=[.!?])\s+|\n+/)
    .map((line) => line.replace(/^[-*\d.\s]+/, '').trim())
    .filter((line) => line !== '')
  return lines.filter(
    (line, index) =>
      line.length > 8 &&
      line.length < 400 &&
      /[.!]$/.test(line) &&
      !instruction.test(line) &&
      !confidential.test(line) &&
      !confidential.test(lines[index + 1] ?? '') &&
      !nlp(line).has('^#Imperative'),
  )
}

function rememberedIn(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) => {
    const told = message.role === 'user' ? rememberedWords(message.text) : null
    return told === null ? [] : [`You told me: ${told}.`]
  })
}

export function rememberedWords(text: string): string | null {
  return (
    /^(?:please\s+)?(?:remember|keep in mind|(?:make|take) a note|note)(?:\s*[:,]|\s+(?:that|of)\b)?\s+(.{3,}?)[.!?\s]*$/i.exec(
      text.trim(),
    )?.[1] ?? null
  )
}
