import { nlp } from './nlp.js'
import { withDigits } from './number-words.js'
import { wordsOf } from './words.js'

/** What somebody wants done, or what a tool does. */
export type Act = (typeof allActs)[number]

const allActs = ['create', 'cancel', 'change', 'read', 'send', 'switch', 'repay', 'ask', 'connect'] as const

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
  connect: 'transfer connect escalate',
}

const actsByVerb = new Map<string, Act[]>()
for (const act of allActs)
  for (const word of verbs[act].split(' ')) actsByVerb.set(word, [...(actsByVerb.get(word) ?? []), act])

/** What a verb stands for, in whatever form it comes; none where it is no verb that tools are called by. */
export function actsOf(verb: string): readonly Act[] {
  const forms = [verb, verb.replace(/s$/, ''), verb.replace(/es$/, ''), verb.replace(/ies$/, 'y')]
  for (const form of forms) {
    const acts = actsByVerb.get(form)
    if (acts !== undefined) return acts
  }
  return []
}

export interface Request {
  /** What was said without the words of politeness before it. */
  readonly core: string
  readonly kind: 'order' | 'wish' | 'question' | 'statement' | 'phrase'
  /** Of an order: its verb. */
  readonly verb: string | null
  /** What a tool for it would do; empty where anything may be meant. */
  readonly acts: readonly Act[]
}

const filler =
  /^(?:(?:by the way|ok|okay|oh|um|uh|so|and|then|now|well|hey|hi|hello|please|alright|all right|great|sorry|excuse me|listen|actually|also|just|yes|sure|good (?:morning|afternoon|evening))\b[\s,.!:-]*)+/i
const politeness =
  /^(?:(?:can|could|would|will) you(?: please| maybe| kindly| quickly)?(?! (?:like|have)\b)|would you mind|i(?:'d| would) (?:like|love|want)(?: you)? to|i (?:want|need|have|wish)(?: you)? to|i(?:'m| am) (?:trying|looking) to|i wanna|let(?:'s| us)|help me(?: to)?|can we|could we|may i|can i|could i|go ahead and|please|you (?:should|must|have to)|i(?:'d| would) be (?:happy|glad) if you could|do you mind|is it possible to)\b[\s,]*/i
const wish =
  /^(?:i(?:'d| would) (?:like|love)|i (?:want|need)|i(?:'ll| will) (?:take|have)|give me|get me|bring me|i(?:'m| am) looking for|may i have|can i (?:have|get)|could i (?:have|get)|have|get)\b\s+(?!to\b)/i
const questionStart =
  /^(?:what|where|when|who|whom|whose|which|why|how|is|are|am|was|were|do|does|did|will|has|have|had|should|shall|would|could|can|may|might|isn't|aren't|don't|doesn't)(?:'s|'re)?\b/i
const subject =
  /^(?:i|you|he|she|it|we|they|this|that|these|those|my|your|his|her|its|our|their|the|there|a|an|some|nobody|everybody|somebody|someone)\b/i
const claim =
  /\b(?:is|are|was|were|am|has|have|had|will|would|did|does|do|can|cannot|live|lives|work|works|like|likes|love|loves|prefer|prefers|own|drive|speak|come|called|named|parked|put|left|lost|forgot|hate|need|needs|want|wants|costs?)\b|'s\b|'m\b|'re\b|n't\b|\w+ed\b/i

/** Reads how something was put: who orders names a verb, who asks a question, and who tells something wants nothing. */
export function readRequest(words: string): Request {
  const plain = withDigits(words)
    .replace(/\u2019/g, "'")
    .trim()
    .replace(filler, '')
  const core = withoutPoliteness(plain)
  const wished = wish.exec(plain)
  if (wished !== null && core === plain)
    return {
      core: plain.slice(wished[0].length),
      kind: 'wish',
      verb: null,
      acts: ['create', 'read', 'send', 'switch', 'repay', 'connect', 'ask'],
    }
  const [first = ''] = wordsOf(core)
  if (questionStart.test(core) && core === plain)
    return { core, kind: 'question', verb: null, acts: ['read'] }
  const acts = actsOf(first)
  if (acts.length > 0 && !/^(?:is|are|am|was|were|has|had|s)$/.test(first))
    return { core, kind: questionStart.test(core) ? 'question' : 'order', verb: first, acts }
  const isTold = subject.test(core) && (claim.test(core) || nlp(core).has('#Verb'))
  if (isTold && !/\?\s*$/.test(core) && !/\bplease\b/i.test(core))
    return { core, kind: 'statement', verb: null, acts: [] }
  if (core !== plain || isVerb(core)) return { core, kind: 'order', verb: first, acts: [] }
  return { core, kind: /\?\s*$/.test(core) ? 'question' : 'phrase', verb: null, acts: [] }
}

/** Whether something begins with a verb, as orders do. */
function isVerb(core: string): boolean {
  return nlp(core.split(/\s+/).slice(0, 6).join(' ')).has('^(#Imperative|#Infinitive|#PhrasalVerb)')
}

const oppositePairs =
  'lock unlock, open close, start stop, begin end, enable disable, activate deactivate, increase decrease, raise lower, buy sell, approve reject, accept decline, subscribe unsubscribe, mute unmute, show hide, lend return, add remove, create delete, on off, up down, in out, send receive, login logout, upload download, import export, borrow return, freeze unfreeze, block unblock'
    .split(', ')
    .map((pair) => pair.split(' '))

/** Whether a tool does the opposite of what was said, by its name. */
export function isOpposite(words: string, toolName: string): boolean {
  const [said, name] = [wordsOf(words), wordsOf(toolName)]
  return oppositePairs.some(([one = '', other = '']) =>
    [
      [one, other],
      [other, one],
    ].some(
      ([wanted = '', does = '']) =>
        said.includes(wanted) && !said.includes(does) && name.includes(does) && !name.includes(wanted),
    ),
  )
}

function withoutPoliteness(plain: string): string {
  let core = plain
  for (let next = core.replace(politeness, ''); next !== core; next = core.replace(politeness, ''))
    core = next.trim()
  return core === '' ? plain : core
}
