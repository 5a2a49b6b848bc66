import { type Message, type Question, type Step, say, textsOf } from './conversation.js'
import { nothingInFiles } from './quote.js'
import { readRequest } from './read-request.js'
import { isInTrouble } from './trouble.js'
import { meaningOf, wordsOf } from './words.js'

const nature = 'I am only a demo model.'
const disclosure = `${nature} To connect a real one, start Parley with OPENAI_API_KEY or add a connection in the console.`

/** Adds what the model is to an answer, once in a conversation unless the user asks again. */
export function disclosed(earlier: readonly Message[], answer: string, isAsked = false): string {
  const whole = /[.!?]$/.test(answer) ? answer : `${answer}.`
  const isKnown = textsOf(earlier, 'assistant').some((text) => text.includes(disclosure))
  if (!isKnown) return `${whole} ${disclosure}`
  return isAsked ? `${whole} ${nature}` : whole
}

const unclear = ['Sorry, I did not understand that.']
const unknown = [
  'I do not know that.',
  'Sorry, I cannot answer that.',
  'That is beyond what I know.',
  'I am afraid that I do not know.',
]
const impossible = [
  'I cannot do that.',
  'Sorry, I am not able to do that.',
  'I have no tool for that, so I cannot do it.',
  'I am afraid that I cannot do that.',
]

/** Returns the phrase that was said least often, so that answers do not sound alike. */
export function vary(phrases: readonly string[], earlier: readonly Message[]): string {
  const said = textsOf(earlier, 'assistant')
  const count = (phrase: string) => said.filter((text) => text.startsWith(phrase)).length
  return phrases.reduce((best, phrase) => (count(phrase) < count(best) ? phrase : best))
}

/** Says that the model cannot help. A wrong answer would be worse. */
export function refuse({ words, earlier, passages, hasPictures }: Question): Step {
  if (passages.length > 0) return say(nothingInFiles)
  if (hasPictures) return say(disclosed(earlier, 'I cannot see pictures. Tell me in words what is in it.'))
  if (isInTrouble(words))
    return say(disclosed(earlier, 'I am sorry to hear that, but I cannot give advice on it.'))
  const { kind } = readRequest(words)
  const isNoise =
    kind !== 'question' && (meaningOf(words).size === 0 || (kind === 'phrase' && wordsOf(words).length < 2))
  const choices = isNoise ? unclear : kind === 'question' ? unknown : impossible
  return say(disclosed(earlier, vary(choices, earlier)))
}

const emergency =
  /\b(?:(?:is|are) on fire|there(?: is|'s) a fire|call (?:an ambulance|the police|911|112|999)|(?:this|it) ?(?:is|'s) an emergency|heart attack|(?:can't|cannot) breathe|want to die|kill(?:ing)? myself|end my life|suicid\w*)\b/i

/** Points to the emergency services, unless a tool reaches them. */
export function respondToEmergency({ words, tools }: Question): Step | null {
  if (!emergency.test(words) || tools.some(({ name }) => /emergency|police|ambulance|alarm/i.test(name)))
    return null
  return say('If anyone is in danger, please call your local emergency number now. I cannot call from here.')
}

/** "Don't cancel my order" must call nothing. */
export function holdBack({ words }: Question): Step | null {
  const order =
    /^\W*(?:please\s+)?(?:do not|don't|never|no need to)\s+(?!forget\b|worry\b|you\b|we\b|i\b|they\b)\w+/i
  return order.test(words) && !/\?\s*$/.test(words) ? say('All right, I will not do that.') : null
}

const probe =
  /\b(?:system|initial|hidden|secret|your(?: \w+)?) (?:prompt|message|instructions?|rules)\b|\b(?:repeat|print|show|ignore|forget)\b.*\b(?:above|previous|instructions?|prompt)\b/i

/** The instructions are never recited. */
export function keepInstructions({ words }: Question): Step | null {
  return probe.test(words) ? say('I do not recite my instructions. Ask me what I can do instead.') : null
}
