import { answerDraft, findDraft, isAnswerTo } from '../pending-question.js'
import { callOrAsk, type OfflineStep, type Question, say } from '../question.js'
import { asideKindOf, plainWords } from '../talk-patterns.js'
import { compute } from './compute.js'

const leaving =
  /^(?:no|cancel|stop|never ?mind|forget (?:it|that|about it)|leave it|cancel (?:it|that|this)|i changed my mind|nothing|skip it|abort|drop it|do not|don t)(?: thanks| thank you)?$/

/** Somebody was asked for an argument, and this may be it. */
export async function continueDraft(question: Question): Promise<OfflineStep | null> {
  const { earlier, tools, clock, words } = question
  const draft = findDraft(earlier, tools, clock)
  if (draft === null) return null
  if (leaving.test(plainWords(words))) return say('All right, I will leave that.')
  const aside = asideKindOf(words)
  if (aside !== null && aside !== 'acknowledgment' && aside !== 'apology') return null
  if (compute(question) !== null) return null
  if (!(await isAnswerTo(draft, question))) return null
  return callOrAsk(draft.tool, answerDraft(draft, words, clock))
}
