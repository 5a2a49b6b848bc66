import type { ModelMessage } from '../text-model.js'
import { nlp } from './nlp.js'

/** The name of somebody who only says who they are, and perhaps what they are or like. */
export function nameTold(words: string): string | null {
  const bare = bareName(words)
  if (bare !== null) return bare
  const opening =
    /^\W*(?:(?:hello|hi|hey|sorry|no|actually|oh)\W+)*(?:my name is|my name's|call me|i am called)\s+/i
  const name = opening.test(words) ? nameWithin(words) : null
  if (name === null) return null
  const rest = words.slice(words.indexOf(name) + name.length)
  return /^\W*(?:(?:and )?i(?:'m| am| like| love| live| work)\b.*)?$/i.test(rest) ? name : null
}

/** "I am Anna", where that is a name and nothing else is said. */
function bareName(words: string): string | null {
  const name =
    /^\W*(?:(?:hello|hi|hey)\W+)?(?:i am|i'm|this is)\s+([A-Z][\w'-]+(?: [A-Z][\w'-]+)?)\W*$/i.exec(
      words,
    )?.[1]
  return name !== undefined && /^[A-Z]/.test(name) && nlp(name).people().found ? name : null
}

/** A name that was told among other things. Without a capital letter nobody knows where it ends: it is one word then. */
function nameWithin(words: string): string | null {
  const told =
    /\b(?:my name is|my name's|call me(?! (?:back|again|later|at|on|when|tomorrow|today|please)\b)|i am called)\s+/i.exec(
      words,
    )
  const rest = told === null ? '' : words.slice(told.index + told[0].length)
  return /^(?:[A-Z][\w'-]*(?: [A-Z][\w'-]*)*|[a-z][\w'-]*)/.exec(rest)?.[0] ?? null
}

/** The name that somebody gives who calls: "this is Karl", "Karl here". A capital letter tells it from other words. */
export function callerName(words: string): string | null {
  const given =
    /\b(?:[Tt]his is|[Ii]t is|[Ii]t's|I am|I'm)\s+((?:Mr\.?|Mrs\.?|Ms\.?|Dr\.?)?\s*[A-Z][\w'-]+(?: [A-Z][\w'-]+)*)/.exec(
      words,
    )?.[1] ?? /^([A-Z][\w'-]+(?: [A-Z][\w'-]+)*) (?:here|speaking)\b/.exec(words)?.[1]
  return nameWithin(words) ?? given ?? null
}

export function recallName(earlier: readonly ModelMessage[]): string {
  const name = earlier
    .flatMap((message) =>
      message.role === 'user' ? [nameWithin(message.text) ?? bareName(message.text)] : [],
    )
    .findLast((found) => found !== null)
  return name === undefined ? 'You have not told me your name.' : `Your name is ${name}.`
}
