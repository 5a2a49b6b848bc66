/** A subject that questions and instructions put in different words. */
interface Topic {
  readonly asked: RegExp
  readonly told: RegExp
}

const anyCase = (words: string) => words.replace(/\b[a-z]/g, (one) => `[${one}${one.toUpperCase()}]`)
const premises = `(?:${anyCase('shop|store|house|office|practice|clinic|hotel|restaurant|cafe|bar|salon|studio|museum|library|pharmacy|bakery|school|gym|company|branch|workshop')})`
const means =
  'cash|cards?|visa|mastercard|amex|pay ?pal|klarna|twint|(?:apple|google) pay|invoice|bank transfer|debit|cheques?|checks?|vouchers?|bitcoins?|crypto\\w*'
const day = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'

const topics: readonly Topic[] = [
  {
    asked: new RegExp(
      `^(?:how|with what|what with) (?:can|do|may|could|should) (?:i|we|one) pay(?: here| you)?$|^(?:can|could|may) (?:i|we|one) (?:also )?pay (?:with|by|in|via|using) (?:\\w+ ?){1,3}$|^(?:can|could|may) (?:i|we|one) pay (?:${means})$|^(?:do|can) you (?:also )?(?:accept|take) (?:\\w+ )?(?:${means})(?: payments?)?$|^(?:what|which) (?:payment|means of payment|cards?|credit cards?)\\b[a-z ]*$|^(?:what|which) (?:are )?(?:your|the) payment (?:methods|options)$`,
      'i',
    ),
    told: new RegExp(
      `^(?!.*\\bcustomers? cards?\\b)(?=.*\\b(?:accept(?:ed)?|take|pay(?:able|ment|ments|ing)?)\\b).*\\b(?:${means})\\b`,
      'i',
    ),
  },
  {
    asked: new RegExp(
      `^where(?: exactly)? (?:(?:are|is) (?:you|your ${premises}|the ${premises})(?: (?:located|based|situated|at))?|(?:can|do) (?:i|we) find (?:you|your ${premises}))$|^(?:what is|what's|tell me) (?:your|the) (?:exact )?(?:address|location)$|^(?:in )?(?:what|which) (?:city|town|street|place) are you(?: in| located| based)*$`,
      'i',
    ),
    told: new RegExp(
      `^(?:We|(?:[Oo]ur|[Tt]he) ${premises}|(?:[A-Z][\\w'&-]* )+${premises})(?: is| are) (?:located |situated |based )?(?:in|at|on|near|opposite|behind|next to|close to) (?:the )?(?!${day})(?:[A-Z]|\\d+\\w* [A-Z])|^(?:(?:[Oo]ur|[Tt]he) )?[Aa]ddress(?: is\\b|:)|^(?:[Yy]ou )?(?:can )?(?:[Ff]ind|[Vv]isit) us (?:in|at|on|near)\\b`,
    ),
  },
]

const maxQuoted = 2

/** Returns the facts about the subject of a question, or null if the question or the facts are unclear. */
export function factsOnTopic(words: string, facts: readonly string[]): string | null {
  // "I have no cash, can I pay by card?"
  const last =
    words
      .replace(/[\s.?!]+$/, '')
      .split(/[,;.?!]\s+/)
      .at(-1) ?? ''
  const question = last.replace(/^(?:(?:and|so|but|please|also|hello|hi)\b\s*)+/i, '')
  const topic = topics.find(({ asked }) => asked.test(question))
  const fitting = facts.filter((fact) => topic?.told.test(fact))
  return fitting.length === 0 || fitting.length > maxQuoted ? null : fitting.join(' ')
}
