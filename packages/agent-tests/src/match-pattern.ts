import { createContext, Script } from 'node:vm'
import { BrokenRun } from './exchange.js'

const timeoutMilliseconds = 100

const script = new Script('pattern.test(text)')
const world: { pattern?: RegExp; text?: string } = createContext({})

/**
 * Returns whether a text matches the pattern of a test. Some patterns take exponential time, and the service runs tests of
 * its users, so the time is limited.
 */
export function matchesPattern(pattern: RegExp, text: string): boolean {
  Object.assign(world, { pattern, text })
  try {
    return script.runInContext(world, { timeout: timeoutMilliseconds }) === true
  } catch {
    throw new BrokenRun(`The pattern ${pattern} takes too long. Write it without nested repetitions.`)
  }
}
