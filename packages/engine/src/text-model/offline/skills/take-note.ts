import type { ModelMessage } from '../../text-model.js'
import { abilitiesOf } from '../abilities.js'
import { disclosedOnce } from '../disclosure.js'
import { rememberedWords } from '../facts.js'
import { type OfflineStep, type Question, say } from '../question.js'
import { readRequest } from '../request.js'
import { callerName } from '../told-name.js'

const takesMessages = /\b(?:take down|take (?:a )?messages?|note down|write down|take notes?|record)\b/i

const nameQuestion = 'May I have your name?'

/** An agent that takes messages and has no tool for it: the conversation is where they are kept. */
export function takeMessage({ words, systemMessage, earlier, tools }: Question): OfflineStep | null {
  if (tools.length > 0 || !takesMessages.test(systemMessage)) return null
  const said = [...userTexts(earlier), words]
  const name =
    said.map(callerName).findLast((found) => found !== null) ??
    answeredName([...earlier, { role: 'user', text: words }])
  if (/^\W*who (?:called|is calling|was (?:calling|it))\b/i.test(words) && name !== null)
    return say(`${name} called.`)
  if (/\b(?:take|leave|write)\b.*\bmessage\b.*\?\s*$/i.test(words))
    return say('Yes. Who is calling, and what is it about?')
  if (/\?\s*$/.test(words)) return null
  const hasReason = said.some((text) => text.split(/\s+/).length > (callerName(text) === null ? 2 : 7))
  if (name === null) return say(`I have noted that. ${nameQuestion}`)
  return say(
    hasReason
      ? `Thank you, ${name}. I have noted that in this conversation. Is there anything to add?`
      : `Thank you, ${name}. What is it about?`,
  )
}

/** Whoever was asked for a name and says a word or two has said it. */
function answeredName(messages: readonly ModelMessage[]): string | null {
  const names = messages.flatMap((message, index) => {
    const before = messages[index - 1]
    const wasAsked = before?.role === 'assistant' && before.text.endsWith(nameQuestion)
    const name =
      message.role === 'user' && wasAsked
        ? /^\W*((?:[\w'-]+ ?){1,3})[.!]?$/.exec(message.text)?.[1]
        : undefined
    return name === undefined ? [] : [name.trim()]
  })
  return names.at(-1) ?? null
}

/** "Remember that …", where no tool keeps notes. */
export function remember({ words, tools, choice }: Question): OfflineStep | null {
  if (choice !== 'auto' && choice !== 'none') return null
  const hasTool = tools.some(({ name }) => /note|remember|memo|task|remind/i.test(name))
  return hasTool || rememberedWords(words) === null ? null : say(noted)
}

const noted = 'I will remember that for as long as we talk.'

const complaint =
  /\b(?:broken|broke|lost|stolen|late|missing|wrong|damaged|problem|error|fails?|failed|stuck|leaking|never|not|dead|slow|down|stopped)\b|n't\b/i
/** What somebody may want to be told again. */
const memorable =
  /^\W*(?:(?:hello|hi|hey|well|so|by the way|please|no|sorry|actually)\W+)*(?:my|our|the|i (?:live|work|like|love|prefer|own|drive|speak|come|parked|park|put|left|was|am from|am called|am allergic|have (?!an? (?:question|problem|task|request|idea)\b))|remember|we (?:live|have|meet|are)|[a-z]+'s)\b/i

/** Somebody only says what is so: that is kept in mind, and what went wrong is not made light of. */
export function takeNote({ words, earlier, tools, passages }: Question): OfflineStep | null {
  if (rememberedWords(words) !== null) return say(noted)
  if (readRequest(words).kind !== 'statement') return null
  if (complaint.test(words))
    return say(
      disclosedOnce(
        earlier,
        `I am sorry to hear that. I cannot mend it myself; what I can do is ${abilitiesOf(tools, passages.length > 0)}.`,
      ),
    )
  return say(memorable.test(words) ? noted : 'I see. What can I do for you?')
}

function userTexts(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) => (message.role === 'user' ? [message.text] : []))
}
