import { actsOfTool } from '../choose-tool.js'
import { fillArguments } from '../fill-arguments.js'
import { callOrAsk, lastCall, type OfflineStep, type Question, say } from '../question.js'
import { readUtterance } from '../utterance.js'

const opening =
  /^\W*(?:(?:no|nope|nah|sorry|wait|actually|oops|hold on|i mean|i meant|correction|rather|not|well|oh|hmm?|my mistake)\b[\s,.!:-]*)+/i
const closing =
  /[\s,]*\b(?:instead|rather|i (?:meant|mean)|i (?:meant|mean) to say|please|actually)\b[\s.!?]*$/i
const maxWords = 12

/** What somebody says in place of what was said before; null where nothing is taken back. */
export function correctedWords(words: string): string | null {
  if (words.split(/\s+/).length > maxWords) return null
  // "Not London, Paris": the second is meant.
  const replaced = /^\W*(?:no\W+)?not [^,.;]+[,.;]\s*(?:but\s+)?(.+)$/i.exec(words)?.[1]
  if (replaced !== undefined) return replaced.trim()
  const without = words.replace(opening, '').replace(closing, '')
  const rest = without.replace(
    /^(?:make (?:it|that)|change (?:it|that) to|it (?:is|was|should be)|i said|for|the)\s+(?=\S)/i,
    (word) => (/^(?:for|the)\s/i.test(word) ? word : ''),
  )
  const isTakenBack = without !== words || rest !== words
  return isTakenBack && rest.trim() !== '' ? rest.trim() : null
}

/**
 * "No, I meant Paris": what only looks something up, or can be set again, is called again with what is new. What has
 * been done is not undone by doing it once more.
 */
export function correct({ words, earlier, tools, clock, choice }: Question): OfflineStep | null {
  const last = choice === 'auto' ? lastCall(earlier, tools) : null
  const corrected = last === null ? null : correctedWords(words)
  if (last === null || corrected === null) return null
  const acts = actsOfTool(last.tool)
  const isRepeatable = acts.includes('read') || acts.includes('switch')
  const fresh = Object.entries(fillArguments(last.tool, readUtterance(placed(corrected), clock))).filter(
    ([name, value]) => last.given[name] !== value,
  )
  if (!isRepeatable)
    return say(
      'That is done already, and I cannot change it. Say the whole request anew if you want another one.',
    )
  return fresh.length === 0 ? null : callOrAsk(last.tool, { ...last.given, ...Object.fromEntries(fresh) })
}

/** A place or a name that stands alone is found after the word that goes before it. */
function placed(text: string): string {
  return /^[A-Z][\w'-]*(?: [A-Z][\w'-]*)*[.!?]?$/.test(text) ? `in ${text}` : text
}
