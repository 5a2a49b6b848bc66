import type { ModelMessage } from '../text-model.js'
import { type Embedder, likeness } from './embedder.js'
import { factsAnswered, factsSaid } from './said-facts.js'
import { meaningOf } from './words.js'

/** Below this a sentence does not answer a question. */
const minFactScore = 0.6
const wordWeight = 0.3
/** The newest of a long conversation. */
const maxFacts = 60

/** Sentences that tell the model how to behave, not what is so. */
const instruction =
  /^(?:you\b|your\b|please\b|always\b|never\b|do not\b|don't\b|be\b|greet\b|say\b|answer\b|use\b|call\b|ask\b|speak\b|keep\b|if\b|when\b|respond\b|reply\b|help\b|act\b|begin\b|start\b|offer\b|only\b|avoid\b|make\b|tell\b)/i

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
  if (asked === undefined) return null
  const said = meaningOf(words)
  const scored = facts.map((fact, index) => {
    const common = [...meaningOf(fact)].filter((word) => said.has(word)).length / Math.max(1, said.size)
    return { fact, score: likeness(asked, known[index] ?? []) + wordWeight * common }
  })
  // What was said last holds, where it is said again.
  const best = scored.reduce((a, b) => (b.score >= a.score ? b : a))
  return best.score >= minFactScore ? best : null
}

function statementsIn(systemMessage: string): string[] {
  return systemMessage
    .split(/(?<=[.!?])\s+|\n+/)
    .map((line) => line.replace(/^[-*\d.\s]+/, '').trim())
    .filter((line) => line.length > 8 && line.length < 400 && /[.!]$/.test(line) && !instruction.test(line))
}

function rememberedIn(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) => {
    const told = message.role === 'user' ? rememberedWords(message.text) : null
    return told === null ? [] : [`You told me: ${told}.`]
  })
}

export function rememberedWords(text: string): string | null {
  return /^(?:please\s+)?remember(?:\s+that)?\s+(.{3,}?)[.!?\s]*$/i.exec(text.trim())?.[1] ?? null
}
