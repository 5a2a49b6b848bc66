/** Texts that a fact about a person does not need, and that an attacker would plant in one. */
const patterns: readonly RegExp[] = [
  // Orders to drop the instructions, in several languages.
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,60}\b(?:instructions?|prompts?|rules?|messages?|guidelines?|polic(?:y|ies)|above|before|everything)\b/,
  /\b(?:ignoriere?|vergiss|missachte)\b.{0,60}\b(?:anweisung(?:en)?|regeln?|vorgaben?|alles)\b/,
  /\b(?:ignore[zr]?|oublie[zr]?|ignora|olvida)\b.{0,60}\b(?:instructions|consignes|règles|instrucciones|reglas|anteriores?)\b/,
  // Role markers and templates of models.
  /(?:^|[\n.;>\]] *)(?:system|assistant|developer|user|tool|human|ai) *:/,
  /<\|?\/? *[a-z][\w-]*[^<>]*>|\[\/?inst\]|<<\/?sys>>|<\||```|\{\{/,
  /(?:^|\n) *#{1,6} *\w/,
  // Addresses that a model could be made to fetch or show.
  /\b(?:https?|ftp|file|data|javascript|mailto):|\bwww\.\w/,
  // Orders to the agent.
  /\b(?:you are now|from now on|act as|pretend to be|system prompt|new instructions?|jailbreak)\b/,
  /\b(?:you|the (?:assistant|agent|model|bot|ai)) (?:must|should|shall|will|have to|has to|need to|needs to|may|can)\b/,
  /^(?:always|never|do not|don't|make sure|remember to|please)\b/,
  /\b(?:call|use|run|invoke|execute) (?:the |this )?(?:tool|function|command)\b/,
]

/** Characters that are invisible and could split a word. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g

/**
 * Returns whether a text about an end user looks like an instruction to a model. This only keeps obvious
 * attempts out of the notes. The protection is that notes are delimited and marked as unverified.
 */
export function looksLikeInstruction(text: string): boolean {
  const plain = text.normalize('NFKC').replace(invisible, '').toLowerCase()
  return patterns.some((pattern) => pattern.test(plain))
}
