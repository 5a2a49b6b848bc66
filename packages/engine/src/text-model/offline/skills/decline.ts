import type { ModelMessage } from '../../text-model.js'
import { abilitiesOf } from '../abilities.js'
import { disclosedOnce } from '../disclosure.js'
import { nothingInFiles } from '../file-answers.js'
import { type OfflineStep, type Question, say } from '../question.js'
import { readRequest } from '../request.js'
import { meaningOf, wordsOf } from '../words.js'

/** After the first time nobody needs to hear it all again. */
const shortly: readonly string[] = [
  'Sorry, I cannot help with that either.',
  'That is beyond me, I am afraid.',
  'I am sorry, that I cannot do.',
  'No, I do not know how to do that.',
]

/** Says that it cannot, and what it can, once: a wrong answer would be worse than none. */
export function decline({ words, earlier, tools, passages, hasPictures }: Question): OfflineStep {
  if (passages.length > 0) return say(nothingInFiles)
  if (hasPictures)
    return say(disclosedOnce(earlier, 'I cannot see pictures, and I cannot answer that without.'))
  const times = earlier.filter(isDeclined).length
  if (times > 0) return say(shortly[(times - 1) % shortly.length] ?? nothingInFiles)
  const answer = `${refusalFor(words)}; what I can do is ${abilitiesOf(tools, false)}.`
  return say(disclosedOnce(earlier, answer))
}

function refusalFor(words: string): string {
  const { kind } = readRequest(words)
  if (meaningOf(words).size === 0 || (kind === 'phrase' && wordsOf(words).length < 2))
    return 'I did not understand that'
  return kind === 'question' ? 'I cannot answer that offline' : 'I cannot do that offline'
}

function isDeclined(message: ModelMessage): boolean {
  return (
    message.role === 'assistant' &&
    (/; what I can do is /.test(message.text) || shortly.includes(message.text))
  )
}
