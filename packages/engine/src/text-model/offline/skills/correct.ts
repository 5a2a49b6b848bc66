import { actsOfTool } from '../choose-tool.js'
import { correctedWords } from '../corrected-words.js'
import { fillArguments } from '../fill-arguments.js'
import { callOrAsk, lastCall, type OfflineStep, type Question, say } from '../question.js'
import { readRequest } from '../request.js'
import { readUtterance } from '../utterance.js'

/**
 * "No, I meant Paris": what only looks something up, or can be set again, is called again with what is new. What has
 * been done is not undone by doing it once more.
 */
export function correct({ words, earlier, tools, clock, choice }: Question): OfflineStep | null {
  const last = choice === 'auto' ? lastCall(earlier, tools) : null
  const corrected = last === null ? null : correctedWords(words)
  if (last === null || corrected === null || isNewRequest(corrected)) return null
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

/** "Actually, create a task" takes nothing back. */
function isNewRequest(words: string): boolean {
  const { kind, acts } = readRequest(words)
  return (kind === 'order' && acts.length > 0) || kind === 'question' || kind === 'wish'
}

/** A place or a name that stands alone is found after the word that goes before it. */
function placed(text: string): string {
  return /^[A-Z][\w'-]*(?: [A-Z][\w'-]*)*[.!?]?$/.test(text) ? `in ${text}` : text
}
