import type { ModelMessage } from '../../text-model.js'
import { abilitiesOf } from '../abilities.js'
import { disclosedOnce } from '../disclosure.js'
import { likeness } from '../embedder.js'
import { greetingFrom, introductionFrom } from '../greeting.js'
import { type OfflineStep, type Question, say } from '../question.js'
import { type TalkKind, talkExamples } from '../talk-examples.js'
import { type AsideKind, asideKindOf, plainWords } from '../talk-patterns.js'
import { nameTold, recallName } from '../told-name.js'

/** An answer to what people say besides their request, or null. */
export function talkAside(question: Question): OfflineStep | null {
  if (question.choice !== 'auto' && question.choice !== 'none') return null
  const kind = asideKindOf(question.words)
  return kind === null ? null : say(replyTo(kind, question))
}

/** Somebody only says who they are. */
export function meet({ words, choice }: Question): OfflineStep | null {
  const name = choice === 'auto' || choice === 'none' ? nameTold(words) : null
  return name === null ? null : say(`Nice to meet you, ${name}. What can I do for you?`)
}

const minTalkLikeness = 0.75
const maxTalkWords = 12

/** The same for what is put in other words: by meaning, where nothing else is meant. */
export async function talkByMeaning(question: Question): Promise<OfflineStep | null> {
  const { embedder, words, choice } = question
  if (
    (choice !== 'auto' && choice !== 'none') ||
    words.split(/\s+/).length > maxTalkWords ||
    /\d/.test(words)
  )
    return null
  const vectors = await embedder.embed([words, ...talkExamples.map(({ sentence }) => sentence)])
  const [spoken, ...known] = vectors ?? []
  if (spoken === undefined) return null
  const scored = talkExamples.map(({ kind }, index) => ({
    kind,
    score: likeness(spoken, known[index] ?? []),
  }))
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one))
  return best.score < minTalkLikeness || !isAddressed(best.kind, words)
    ? null
    : say(replyTo(best.kind, question))
}

const aboutModel: readonly TalkKind[] = [
  'wellbeing',
  'praise',
  'insult',
  'feelings',
  'identity',
  'abilities',
  'presence',
]
const aboutSpeaker: readonly TalkKind[] = ['sorrow', 'joy']

/** "How old are you?" is for the model, "How old am I?" is not, however alike they are. */
function isAddressed(kind: TalkKind, words: string): boolean {
  if (aboutModel.includes(kind)) return /\b(?:you|your|you're)\b/i.test(words) && !/\bmy\b/i.test(words)
  return !aboutSpeaker.includes(kind) || /^\W*(?:i|i'm|i've|my)\b/i.test(words)
}

function replyTo(kind: AsideKind, question: Question): string {
  const { systemMessage, earlier, tools, passages } = question
  switch (kind) {
    case 'greeting':
      return earlier.some(({ role }) => role === 'assistant')
        ? 'Hello again. What can I do for you?'
        : greetingFrom(systemMessage)
    case 'wellbeing':
      return 'I am fine, thank you. What can I do for you?'
    case 'thanks':
      return 'You are welcome.'
    case 'goodbye':
      return 'Goodbye, and have a nice day.'
    case 'meeting':
      return 'Nice to meet you too. What can I do for you?'
    case 'praise':
      return 'Thank you, that is kind of you.'
    case 'insult':
      return 'I am sorry that I got it wrong. Say it in other words, please.'
    case 'sorrow':
      return 'I am sorry to hear that. I hope that it gets better soon.'
    case 'joy':
      return 'I am glad to hear that.'
    case 'apology':
      return 'No problem at all.'
    case 'presence':
      return 'Yes, I am here. What can I do for you?'
    case 'feelings':
      return 'I am a program: I have no age, no home and no likes of my own.'
    case 'weather':
      return 'I have no window to look out of, but thank you for telling me.'
    case 'identity':
      return introduce(systemMessage, earlier)
    case 'abilities':
      return disclosedOnce(earlier, `I can ${abilitiesOf(tools, passages.length > 0)}. Ask in plain words.`)
    case 'own name':
      return recallName(earlier)
    case 'own words':
      return recallWords(earlier, plainWords(question.words))
    case 'repeat':
      return repeat(earlier)
    case 'doubt':
      return 'That is what I have. If you meant something else, say it in other words.'
    case 'wishes':
      return 'Thank you, the same to you.'
    case 'language':
      return 'I understand English only.'
    case 'acknowledgment':
      return 'All right. What can I do for you?'
  }
}

function introduce(systemMessage: string, earlier: readonly ModelMessage[]): string {
  const introduction = introductionFrom(systemMessage)
  const who = introduction === null ? '' : `${introduction}. `
  return `${who}${disclosedOnce(earlier, 'I am a program, not a person, and I understand simple requests only.')}`
}

function recallWords(earlier: readonly ModelMessage[], words: string): string {
  const said = earlier.flatMap((message) => (message.role === 'user' ? [message.text] : []))
  const text = words.includes('first') ? said[0] : said.at(-1)
  return text === undefined ? 'You have not said anything before.' : `You said: ${text}`
}

function repeat(earlier: readonly ModelMessage[]): string {
  const last = earlier.findLast((message) => message.role === 'assistant' && message.text !== '')
  return last?.role === 'assistant' ? last.text : 'I have not said anything before.'
}
