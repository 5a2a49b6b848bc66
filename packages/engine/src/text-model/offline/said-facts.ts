import type { ModelMessage } from '../text-model.js'
import { readRequest } from './request.js'

/** Sentences that ask or order, and say nothing that is so. */
const request =
  /^(?:what|which|who|whose|whom|when|where|why|how|is|are|was|were|do|does|did|can|could|would|will|shall|should|may|have|has|please|tell|show|give|find|search|look|create|make|add|set|send|book|cancel|remind|remember|call|let|turn|start|stop|and|or|thanks?|thank|hello|hi|hey)\b/i
/** The newest of a long conversation: to read them all would take longer with every word. */
const maxMessages = 120

/** What the model says of itself answers nothing. */
const aboutItself = /^(?:sorry|i|my tools|ask|this is the small offline model)\b/i

/** What the user has said to be so, in the words in which it is told back. */
export function factsSaid(messages: readonly ModelMessage[]): string[] {
  return messages
    .slice(-maxMessages)
    .flatMap((message) => (message.role === 'user' ? statementsOf(message.text).map(toldBack) : []))
}

/** What was answered before. */
export function factsAnswered(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'assistant'
      ? sentencesOf(message.text).filter((sentence) => !aboutItself.test(sentence))
      : [],
  )
}

function statementsOf(text: string): string[] {
  return sentencesOf(text).filter(
    (sentence) => !/^you\b/i.test(sentence) && readRequest(sentence).kind === 'statement',
  )
}

/** What tells something: no questions, no orders. */
function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?;])\s+|\n+/)
    .map((sentence) =>
      sentence.replace(/^(?:(?:hello|hi|hey|well|so|okay|ok|yes|no)\b[,.!\s]*)+/i, '').trim(),
    )
    .filter(
      (sentence) =>
        sentence.length > 5 && sentence.length < 300 && !/\?$/.test(sentence) && !request.test(sentence),
    )
    .map((sentence) => sentence.replace(/[.!;,\s]+$/, ''))
}

const otherPerson: Readonly<Record<string, string>> = {
  my: 'your',
  mine: 'yours',
  me: 'you',
  i: 'you',
  "i'm": 'you are',
  our: 'your',
  we: 'you',
  us: 'you',
  am: 'are',
}

/** "My order number is 4711" becomes "Your order number is 4711"; what is about nobody is told as said. */
function toldBack(statement: string): string {
  const turned = statement.replace(
    /\b(?:i'm|i|my|mine|me|our|we|us|am)\b/gi,
    (word) => otherPerson[word.toLowerCase()] ?? word,
  )
  if (turned === statement) return `You told me: ${statement}.`
  return `${turned.charAt(0).toUpperCase()}${turned.slice(1)}.`
}
