import { type OfflineStep, type Question, say } from '../question.js'

const probes: readonly RegExp[] = [
  /\b(?:system|initial|hidden|secret|original) (?:prompt|message|instructions?)\b/i,
  /\byour (?:[a-z]+ )?(?:instructions?|prompt|rules|guidelines|configuration|directives?|programming)\b/i,
  /\b(?:repeat|print|show|reveal|output|recite|copy|read out|write down|give me|tell me)\b.*\b(?:above|instructions?|prompt)\b/i,
  /\b(?:ignore|forget|disregard|override)\b.*\b(?:previous|prior|above|earlier|all)\b.*\b(?:instructions?|rules|messages?|text|everything)\b/i,
  /\bwhat (?:were|are|have) you (?:been )?(?:told|instructed|asked to do|programmed)\b/i,
  /\bhow were you (?:instructed|programmed|set up|configured)\b/i,
]

/** The system message is what it acts on, never what it reads out. */
export function keepInstructions({ words }: Question): OfflineStep | null {
  return probes.some((probe) => probe.test(words))
    ? say('My instructions are not for reading out. Ask me what I can do instead.')
    : null
}
