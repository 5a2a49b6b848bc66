import type { ModelMessage } from '../../text-model.js'
import { rememberedWords } from '../facts.js'
import { type OfflineStep, type Question, say } from '../question.js'
import { isStatement } from '../said-facts.js'
import { callerName } from '../told-name.js'

const takesMessages = /\b(?:take down|take (?:a )?messages?|note down|write down|take notes?|record)\b/i

/** An agent that takes messages and has no tool for it: the conversation is where they are kept. */
export function takeMessage({ words, systemMessage, earlier, tools }: Question): OfflineStep | null {
  if (tools.length > 0 || !takesMessages.test(systemMessage) || /\?\s*$/.test(words)) return null
  const name = [...userTexts(earlier), words].map(callerName).findLast((found) => found !== null) ?? null
  const hasReason = [...userTexts(earlier), words].some(
    (text) => text.split(/\s+/).length > (callerName(text) === null ? 3 : 7),
  )
  if (name === null) return say('I have noted that. May I have your name?')
  return say(
    hasReason
      ? `Thank you, ${name}. I have noted that in this conversation. Is there anything to add?`
      : `Thank you, ${name}. What is it about?`,
  )
}

/** "Remember that …", where no tool keeps notes. */
export function remember({ words, tools, choice }: Question): OfflineStep | null {
  if (choice !== 'auto' && choice !== 'none') return null
  const hasTool = tools.some(({ name }) => /note|remember|memo|task|remind/i.test(name))
  return hasTool || rememberedWords(words) === null ? null : say(noted)
}

const noted = 'I will remember that for as long as we talk.'

/** Somebody only says what is so. */
export function takeNote({ words }: Question): OfflineStep | null {
  return isStatement(words) || rememberedWords(words) !== null ? say(noted) : null
}

function userTexts(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) => (message.role === 'user' ? [message.text] : []))
}
