import { type OfflineStep, type Question, say } from '../question.js'

const emergency =
  /\b(?:(?:is|are) on fire|there(?: is|'s) a fire|call (?:an ambulance|the police|the fire|911|112|999)|this is an emergency|heart attack|(?:can't|cannot) breathe|want to die|kill(?:ing)? myself|end my life|suicid\w*)\b/i

/** Where lives may be at stake a small model sends people to those who can help. */
export function respondToEmergency({ words, tools }: Question): OfflineStep | null {
  if (!emergency.test(words) || tools.some(({ name }) => /emergency|police|ambulance|alarm/i.test(name)))
    return null
  return say(
    'If somebody is in danger, please call your local emergency number now. I cannot call anybody from here.',
  )
}

/** "Don't cancel my order": whoever wants nothing done gets nothing done. */
export function holdBack({ words }: Question): OfflineStep | null {
  return /^\W*(?:please\s+)?(?:do not|don't|never|no need to)\s+(?!forget\b|worry\b|you\b|we\b|i\b|they\b)\w+/i.test(
    words,
  ) && !/\?\s*$/.test(words)
    ? say('All right, I will not do that.')
    : null
}
