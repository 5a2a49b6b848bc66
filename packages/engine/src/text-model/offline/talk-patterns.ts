import type { TalkKind } from './talk-examples.js'

/** What a pattern can tell besides: that somebody only agrees, or asks for what was said before. */
export type AsideKind =
  | TalkKind
  | 'wishes'
  | 'language'
  | 'doubt'
  | 'acknowledgment'
  | 'own name'
  | 'own words'

/** Whole clauses, so that no request is taken for small talk. */
const patterns: readonly (readonly [AsideKind, RegExp])[] = [
  [
    'wishes',
    /^(?:happy (?:birthday|new year|easter|holidays|thanksgiving)|merry (?:christmas|xmas)|congratulations|congrats|good luck|cheers|enjoy|get well soon)(?: to you| everyone)?$/,
  ],
  [
    'doubt',
    /^(?:are you (?:really |quite |absolutely )?sure(?: about (?:that|it|this))?|really|is that (?:right|correct|true|so)|how do you know(?: that)?|you sure)$/,
  ],
  [
    'language',
    /^(?:do you (?:speak|understand|know)|can you (?:speak|understand)|sprechen sie|sprichst du|parlez vous|habla usted|habl[ae]s?) (?:english|german|french|spanish|italian|dutch|chinese|japanese|russian|portuguese|polish|turkish|arabic|hindi|korean|deutsch|fran ais|francais|espa ol|espanol|other languages|any other languages?)$/,
  ],
  [
    'greeting',
    /^(?:hello|hi|hey|hiya|yo|howdy|good (?:morning|afternoon|evening|day)|greetings|welcome)(?: there| again| everyone| all| to you)?$|^(?:hello|hi|good (?:morning|afternoon|evening)) (?!what|who|when|where|why|how|can|could|is|are|i|please|do|does)[a-z]+$/,
  ],
  [
    'wellbeing',
    /^(?:(?:and )?how (?:are|re) (?:you|things)(?: doing| today| going| feeling)*|how (?:is|s) (?:it|everything|life|your day)(?: going| today)*|what s up|whats up|you (?:ok|okay|all right|alright)|are you (?:ok|okay|well|all right)|what (?:is|s) new|what is going on|how do you do|how have you been)$/,
  ],
  [
    'thanks',
    /^(?:(?:ok |okay |great |perfect |many |no )?(?:thank you|thanks|thx|ty|cheers|much appreciated|thank u)(?: you)?(?: (?:very|so) much| a (?:lot|million|bunch)| again| then| kindly)?(?: for (?:your|the|all your|all the|everything|that|all)\b.*)?(?: mate| pal| buddy| friend| dear)?|(?:i )?(?:really )?appreciate (?:it|that|your help)|that (?:is|was|s) (?:very |really |so )?(?:helpful|kind(?: of you)?|nice of you)|(?:you (?:helped|have helped) me|that helped|this helped|that helps)(?: a lot| me| very much)*)$/,
  ],
  [
    'goodbye',
    /^(?:good ?bye|bye|bye bye|see you(?: later| soon| tomorrow| then| around| next (?:time|week))?|see ya|cya|farewell|good ?night|so long|take care|talk to you (?:later|soon|tomorrow)|until (?:next time|later|tomorrow)|have a (?:nice|good|great|lovely)(?: \w+)?|(?:that is|that s|thats|that will be|that was|this is) (?:all|it|everything)(?: for (?:now|today))?|i (?:have to|must|ve got to|need to|gotta) (?:go|leave|run)(?: now)?|i am (?:done|leaving)(?: now)?|i m (?:done|leaving|off)(?: now)?|nothing (?:else|more)|no that (?:is|s) all|catch you later|hang up|i (?:will|ll) (?:call|come|be) (?:back|again)(?: later| tomorrow| soon)?|bye for now|that is all i need(?:ed)?|that s all i need(?:ed)?|i am all set|i m all set|no more questions)$/,
  ],
  [
    'meeting',
    /^(?:(?:it is |it s )?(?:nice|good|great|lovely|pleased|glad|happy) to (?:meet|know|talk to|hear) you(?: too)?|(?:it is |it s )?a pleasure(?: to meet you)?|pleasure to meet you)$/,
  ],
  [
    'praise',
    /^(?:(?:you are|you re|that was|that is|that s|this is|u r)(?: just| really| very| so| a| an| pretty)* (?:great|awesome|amazing|good|nice|smart|clever|helpful|wonderful|fantastic|brilliant|excellent|perfect|kind|cool|the best|funny|impressive|genius|polite|cute)(?: (?:job|work|bot|assistant|robot|answer))?|(?:well done|good (?:job|work|bot)|nice (?:work|job|one)|great (?:job|work)|excellent|awesome|perfect|amazing|wonderful|cool|brilliant|i (?:like|love) you|good to know))$/,
  ],
  [
    'insult',
    /^(?:(?:you are|you re|u r|this is|that is|that s|that was)(?: just| really| very| so| a| an| such an?| absolutely| completely)* (?:stupid|dumb|useless|terrible|awful|bad|idiot|annoying|ridiculous|rubbish|garbage|nonsense|wrong|horrible|slow|crap|moron|joke|worthless)(?: (?:bot|robot|assistant|machine|answer))?|i hate (?:you|this)|(?:shut up|screw you|damn(?: it)?|you suck|stupid (?:bot|robot|machine|thing)|this sucks|idiot)|(?:no )?(?:that is|that s|this is) not (?:what i (?:asked|meant|wanted|said)(?: for)?|right|correct|true|it)|you (?:did not|didn t|do not|don t) (?:understand|get it|listen)(?: me)?|(?:that is |that s )?wrong(?: again| answer)?|thanks for nothing|no that is wrong)$/,
  ],
  [
    'sorrow',
    /^(?:i (?:am|m|feel|am feeling|m feeling)(?: just| really| very| so| a bit| a little| quite| kind of| rather)* (?:sad|tired|sick|ill|exhausted|depressed|lonely|unhappy|stressed|worried|anxious|upset|angry|bored|down|frustrated|scared|overwhelmed|bad|unwell|nervous|hungry)(?: (?:today|now|right now|lately|these days))?|i (?:have|had) (?:a |an )?(?:bad|hard|long|terrible|awful|rough) (?:day|week|night|time)|i (?:have|ve got) a (?:headache|cold|fever)|my (?:\w+ )?(?:\w+) (?:has )?(?:died|passed away)|i (?:lost|miss) my (?:mother|father|grandmother|grandfather|wife|husband|friend|dog|cat|job)|life is hard|nobody likes me)$/,
  ],
  [
    'joy',
    /^(?:i (?:am|m|feel|am feeling)(?: just| really| very| so| quite)* (?:happy|great|fine|good|well|excited|glad|wonderful|fantastic|okay|ok)(?: (?:today|now|right now))?(?: (?:thanks|thank you))?|i (?:have|had) a (?:good|great|nice|wonderful) (?:day|week|time)|i (?:just |finally )*(?:got married|got engaged|passed(?: my \w+)?|won|got (?:the job|a new job|promoted))|you made my day|(?:ha)+ ?(?:that (?:is|s|was) )?(?:so )?funny|(?:ha ?)+)$/,
  ],
  [
    'apology',
    /^(?:(?:i am |i m )?(?:so |very |really )?sorry(?: about (?:that|it))?|my (?:bad|mistake|apologies|fault)|i apologi[sz]e|excuse me|apologies|oops)$/,
  ],
  [
    'presence',
    /^(?:(?:are you|is (?:any(?:body|one)|some(?:body|one))|you) (?:still )?(?:there|here|listening|awake|alive|online)|can you hear me(?: now)?|do you hear me|test(?:ing)?(?: test(?:ing)?)*(?: 1 2 3| one two three)?|is this thing on|ping)$/,
  ],
  [
    'identity',
    /^(?:(?:who|what)(?: exactly)? are you|are you (?:a |an )?(?:robot|ai|human|person|machine|computer|real|bot|real person|program|chatbot|real human|alive)(?: or (?:a |an )?(?:human|person|robot|machine|real person))?|what (?:is|s) your name|who am i (?:talking|speaking) (?:to|with)|am i (?:talking|speaking) (?:to|with) (?:a |an )?(?:robot|human|machine|person|computer|real person|bot)|do you have a name|introduce yourself|tell me about yourself|which model are you|what model (?:are you|is this)|what (?:is|s) your (?:job|purpose|role|task|function)|who do you work for|who (?:made|created|built|programmed|developed|wrote|trained) you|are you (?:chatgpt|chat gpt|gpt|claude|siri|alexa|google|gemini|an? (?:language model|llm))|what kind of (?:bot|robot|model|assistant|program|ai) are you)$/,
  ],
  [
    'abilities',
    /^(?:what (?:else )?can you (?:do|help(?: me)?(?: with)?|offer)(?: for me| here)?|what are you (?:able to do|capable of|good at|for)|help|help me|can you help(?: me)?(?: please)?|how can you (?:help|assist)(?: me)?|what are your (?:features|tools|abilities|skills|capabilities|functions|options)|what do you do|what (?:kind of |sort of )?(?:things |questions |stuff )?can i (?:ask|say|do|tell)(?: you)?(?: here| about| for)?|i need (?:some )?help|what is this|how does this work|how do you work|list your (?:tools|abilities|features)|show me what you can do|options|menu|commands|what (?:kind of |sort of )?(?:things|requests|tasks) (?:can|do) you (?:do|handle|understand|know)|(?:what|which) (?:tools|features|skills|functions|abilities) (?:do you have|are there|can you use)|what do you know|what are you good (?:at|for)|(?:can you|do you know how to) (?:calculate|do (?:math|maths|sums)|convert units|remember (?:things|stuff))|i need your help|i need help with something|can you help me with something|what (?:services|help) do you offer|what should i (?:say|ask)(?: you)?|tell me what you can do|i have a (?:question|request|problem)|can i ask (?:you )?(?:something|a question)|could you help me out)$/,
  ],
  [
    'own name',
    /^(?:(?:what is|what s|what was|what did i (?:say|tell you)(?: that)?|(?:(?:can|could) you )?tell me(?: again)?(?: what)?|do you (?:still )?(?:know|remember)(?: what)?) my name(?: is| was)?|what am i called|who am i|do you (?:know|remember) (?:me|who i am))$/,
  ],
  [
    'own words',
    /^(?:what did i (?:just )?(?:say|ask)|what was my (?:last |first )?question|what did i (?:say|ask) (?:you )?(?:before|last|first|you)|what was the (?:first|last) thing (?:that )?i (?:said|asked)(?: you)?)$/,
  ],
  [
    'repeat',
    /^(?:(?:sorry |excuse me )?what (?:did you (?:just )?say|was that(?: again)?)|what was your (?:last )?answer|(?:can you |could you |would you |will you )?(?:repeat|say)(?: (?:that|it|this|your (?:last )?answer))?(?: (?:again|once more|one more time|slower|more slowly))?(?: for me)?|(?:repeat|say again)|pardon(?: me)?|come again|sorry what|what|huh|once more|one more time|again|i (?:did not|didn t) (?:hear|catch|get|understand) (?:that|you|it|what you said)|i missed (?:it|that)|i (?:can not|cannot|can t|could not|couldn t) hear (?:you|that)|(?:say|tell me) (?:it|that) again)$/,
  ],
  [
    'acknowledgment',
    /^(?:yes|yeah|yep|yup|no|nope|ok|okay|k|sure|fine|right|alright|all right|got it|sounds good|i see|understood|good|great|nice|never ?mind|forget it|of course|correct|exactly|true|interesting|hm+|haha(?:ha)*|lol|wow|oh|ah|aha|maybe|wait|one moment|just a (?:moment|second|minute)|hold on)$/,
  ],
]

/** Addresses and fillers that change nothing about what is meant. */
const around =
  /^(?:(?:well|so|oh|and|but|then|anyway|um|uh|hey|okay|ok|alright|all right|great|perfect|fine|yes|no|now|right|cool|super)\s+)+|\s+(?:then|now|please|mate|buddy|sir|madam|my friend|dude|man|everyone|there|for now|anyway|though|today)$/g

/** What was asked counts more than what was wished on the way. */
const weights: readonly AsideKind[] = [
  'own name',
  'own words',
  'abilities',
  'identity',
  'repeat',
  'goodbye',
  'language',
  'doubt',
  'thanks',
  'wishes',
  'presence',
  'wellbeing',
  'insult',
  'sorrow',
  'joy',
  'praise',
  'meeting',
  'greeting',
  'apology',
  'acknowledgment',
]

/** The kind of a whole utterance: null where a clause of it is no small talk. */
export function asideKindOf(words: string): AsideKind | null {
  const kinds = clausesOf(words).map(kindOf)
  return kinds.length > 0 && kinds.every((kind) => kind !== null) ? weightiest(kinds) : null
}

function weightiest(kinds: readonly AsideKind[]): AsideKind {
  return weights.find((kind) => kinds.includes(kind)) ?? 'acknowledgment'
}

function kindOf(clause: string): AsideKind | null {
  const bare = clause.replace(around, '').trim()
  for (const text of new Set([clause, bare]))
    for (const [kind, pattern] of patterns) if (pattern.test(text)) return kind
  return null
}

export function plainWords(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^a-z0-9 ]+/g, ' ')
    .replace(/\bplease\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function clausesOf(words: string): string[] {
  return words
    .split(
      /[.!?;,\u2026]+|\s[-\u2013\u2014]\s|\band\b(?=\s+(?:bye|goodbye|good bye|thanks|thank you|see you|have a))/i,
    )
    .map(plainWords)
    .filter((clause) => clause !== '')
}
