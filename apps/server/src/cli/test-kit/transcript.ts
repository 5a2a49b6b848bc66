import { describeCall } from './check-deeds.js'
import type { Exchange, SeenCall } from './exchange.js'

/** What was said and done, line by line, for whoever looks why a test failed. */
export type Transcript = readonly string[]

const maxTextCharacters = 1000

/** One exchange; `decision` is what a person said to what waited. */
export function describeExchange(exchange: Exchange, decision: string | null): Transcript {
  const { user, words, firstMs, calls, subAgents, failure, interrupted, state } = exchange
  const after = firstMs === null ? '' : ` (after ${Math.round(firstMs)} ms)`
  return [
    `user:   ${user}`,
    ...subAgents.map((name) => `asks:   ${name}`),
    ...calls.map((call) => `calls:  ${describeCall(call)}${resultOf(call)}`),
    ...(decision === null ? [] : [`person: ${decision}`]),
    ...(words === '' ? [] : [`agent:  ${cut(words)}${after}`]),
    ...(interrupted === 'nobody' ? [] : [`        (the ${interrupted} was interrupted)`]),
    ...(state === 'broken-off' ? ['        (the user breaks in)'] : []),
    ...(failure === null ? [] : [`failed: ${failure}`]),
  ]
}

function resultOf({ text }: SeenCall): string {
  return text === null || text === '' ? '' : ` → ${cut(text)}`
}

function cut(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ⏎ ')
  return line.length > maxTextCharacters ? `${line.slice(0, maxTextCharacters)}…` : line
}
