import { withDigits } from './numbers.js'
import { wordsOf } from './words.js'

/** The kind of action that a user wants or a tool performs. */
type Act = 'create' | 'cancel' | 'change' | 'read' | 'send' | 'switch' | 'repay' | 'ask' | 'connect'

const verbs: Readonly<Record<Act, string>> = {
  create:
    'create add make put note write report file raise submit log schedule book reserve set start register plan arrange remind open enter record place buy order purchase rebook sign',
  cancel: 'cancel delete remove erase abort withdraw drop discard clear undo stop close end',
  change:
    'update change edit modify move rename reschedule postpone replace correct shift set put close mark assign extend',
  read: 'get find search look show list tell check read display fetch count track see give lookup browse query say know locate view what where when who which whose how why is are am do does did was were will has have had should s',
  send: 'send mail email text forward message reply write share notify',
  switch: 'turn switch toggle dim lock unlock activate deactivate enable disable',
  repay: 'refund repay reimburse',
  ask: 'ask',
  connect: 'transfer connect escalate speak talk',
}

const actsByVerb = new Map<string, Act[]>()
for (const [act, words] of Object.entries(verbs) as [Act, string][])
  for (const word of words.split(' ')) actsByVerb.set(word, [...(actsByVerb.get(word) ?? []), act])

/** Returns the acts of a verb in any form, or none if no tool is named after it. */
export function actsOf(verb: string): readonly Act[] {
  const forms = [verb, verb.replace(/s$/, ''), verb.replace(/es$/, ''), verb.replace(/ies$/, 'y')]
  return forms.map((form) => actsByVerb.get(form)).find((acts) => acts !== undefined) ?? []
}

export interface Request {
  /** The sentence without words of politeness. */
  readonly core: string
  readonly kind: 'order' | 'wish' | 'question' | 'statement' | 'phrase'
  /** The verb of an order. */
  readonly verb: string | null
  /** The acts that a tool for it must have. Empty if any act will do. */
  readonly acts: readonly Act[]
}

const filler =
  /^(?:(?:by the way|ok|okay|oh|um|uh|so|and|then|now|well|hey|hi|hello|please|alright|all right|great|sorry|excuse me|listen|actually|also|just|yes|sure|good (?:morning|afternoon|evening))\b[\s,.!:-]*)+/i
const politeness =
  /^(?:(?:can|could|would|will) you(?: please| maybe| kindly| quickly)?(?! (?:like|have)\b)|would you mind|i(?:'d| would) (?:like|love|want)(?: you)? to|i (?:want|need|have|wish)(?: you)? to|i(?:'m| am) (?:trying|looking) to|i wanna|i(?:'d| would) (?:rather|prefer to)|let(?:'s| us)|help me(?: to)?|can we|could we|may i|can i|could i|go ahead and|please|you (?:should|must|have to)|i(?:'d| would) be (?:happy|glad) if you could|do you mind|is it possible to)\b[\s,]*/i
const wish =
  /^(?:i(?:'d| would) (?:like|love)|i (?:want|need)|i(?:'ll| will) (?:take|have)|give me|get me|bring me|i(?:'m| am) looking for|may i have|can i (?:have|get)|could i (?:have|get)|have|get)\b\s+(?!to\b)/i
const questionStart =
  /^(?:what|where|when|who|whom|whose|which|why|how|is|are|am|was|were|do|does|did|will|has|have|had|should|shall|would|could|can|may|might|isn't|aren't|don't|doesn't)(?:'s|'re)?\b/i
const subject =
  /^(?:i|you|he|she|it|we|they|this|that|these|those|my|your|his|her|its|our|their|the|there|a|an|some|everybody|someone)(?:'[a-z]+)?\b/i
const claim =
  /\b(?:is|are|was|were|am|has|have|had|will|would|did|does|do|can|cannot|live|lives|work|works|like|likes|love|loves|prefer|prefers|own|drive|speak|come|comes|called|named|parked|put|left|lost|forgot|hate|need|needs|want|wants|should|must|makes?|costs?|hurts?|starts?|ends?|opens?)\b|'s\b|'m\b|'re\b|n't\b|\w+ed\b/i

/** Distinguishes orders, wishes, questions and statements. */
export function readRequest(words: string): Request {
  const plain = withDigits(words).trim().replace(filler, '')
  const core = withoutPoliteness(plain)
  const wished = wish.exec(plain)
  if (wished !== null && core === plain) {
    const acts: Act[] = ['create', 'read', 'send', 'switch', 'repay', 'connect', 'ask']
    return { core: plain.slice(wished[0].length), kind: 'wish', verb: null, acts }
  }
  const [first = ''] = wordsOf(core)
  if (questionStart.test(core) && core === plain)
    return { core, kind: 'question', verb: null, acts: ['read'] }
  const acts = actsOf(first)
  if (acts.length > 0 && !/^(?:is|are|am|was|were|has|had|s)$/.test(first))
    return { core, kind: questionStart.test(core) ? 'question' : 'order', verb: first, acts }
  const isStatement =
    subject.test(core) && claim.test(core) && !/\?\s*$/.test(core) && !/\bplease\b/i.test(core)
  if (isStatement) return { core, kind: 'statement', verb: null, acts: [] }
  if (core !== plain) return { core, kind: 'order', verb: first, acts: [] }
  return { core, kind: /\?\s*$/.test(core) ? 'question' : 'phrase', verb: null, acts: [] }
}

const opposites =
  'lock unlock, open close, start stop, enable disable, activate deactivate, increase decrease, raise lower, buy sell, approve reject, accept decline, subscribe unsubscribe, mute unmute, show hide, add remove, create delete, send receive, block unblock'

/** Whether the name of a tool says the opposite of the request. */
export function isOpposite(words: string, toolName: string): boolean {
  const [said, name] = [wordsOf(words), wordsOf(toolName)]
  const pairs = opposites.split(', ').map((pair) => pair.split(' '))
  return [...pairs, ...pairs.map((pair) => pair.toReversed())].some(
    ([one = '', other = '']) => said.includes(one) && !said.includes(other) && name.includes(other),
  )
}

function withoutPoliteness(plain: string): string {
  let core = plain
  for (let next = core.replace(politeness, ''); next !== core; next = core.replace(politeness, ''))
    core = next.trim()
  return core === '' ? plain : core
}

const correction =
  /^\W*(?:(?:no|nope|sorry|wait|actually|oops|i mean|i meant|rather|not|oh)\b[\s,.!:-]*)+(?:make (?:it|that)\s+)?(?=\S)/i

/**
 * Returns the new words of a correction such as "No, I meant Paris", or null if the message corrects
 * nothing.
 */
export function correctedWords(words: string): string | null {
  const rest = words.replace(correction, '')
  return rest === words || words.split(/\s+/).length > 12 ? null : rest
}
