import { disclosure } from './disclosure.js'

/** A greeting as the system message wants it: its own words where it gives them, otherwise with its name and role. */
export function greetingFrom(systemMessage: string): string {
  const own = ownGreeting(systemMessage)
  return own === null ? madeGreeting(systemMessage) : `${own} ${disclosure}`
}

/** Who it is to be. */
export function introductionFrom(systemMessage: string): string | null {
  const name = nameIn(systemMessage)
  const role = roleIn(systemMessage)
  if (name === null) return role === null ? null : `I am ${role}`
  return role === null ? `I am ${name}` : `I am ${name}, ${role}`
}

function ownGreeting(systemMessage: string): string | null {
  const quoted =
    /\b(?:greet|greeting|say|start|begin|open|answer|welcome)\b[^"\u201c]{0,100}["\u201c]([^"\u201d]{2,300})["\u201d]/i.exec(
      systemMessage,
    )
  const words = quoted?.[1]?.trim()
  if (words === undefined) return null
  return /[.!?]$/.test(words) ? words : `${words}.`
}

function madeGreeting(systemMessage: string): string {
  const introduction = introductionFrom(systemMessage)
  const hello = introduction === null ? 'Hello.' : `Hello, ${introduction}.`
  return `${hello} ${disclosure} How can I help you?`
}

function nameIn(systemMessage: string): string | null {
  const match =
    /\b[Yy]our name is ([A-Z][\w'-]*)/.exec(systemMessage) ??
    /\b[Yy]ou are (?:called |named )?(?!an?\b|the\b)([A-Z][\w'-]*(?: [A-Z][\w'-]*)*)/.exec(systemMessage)
  return match?.[1] ?? null
}

function roleIn(systemMessage: string): string | null {
  const match =
    /\b[Yy]ou are (?:(?:called |named )?[A-Z][\w'-]*(?: [A-Z][\w'-]*)*,? )?((?:an?|the) [^.,;:\n]{3,80})/.exec(
      systemMessage,
    )
  return match?.[1]?.trim() ?? null
}
