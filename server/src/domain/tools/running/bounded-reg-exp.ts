import { createContext, Script } from 'node:vm'

/** Far more than any sound pattern takes, since the time of a machine that is busy with other things counts too. */
const maxMilliseconds = 250

const inputs = createContext({ expression: /^/, text: '' })
const match = new Script('expression.test(text)')

/**
 * A regular expression that throws where it takes too long. There are short patterns for which thirty characters take
 * minutes; nothing but a separate context can be stopped in the middle of one, and every session would stand still.
 */
export function boundedRegExp(pattern: string, flags: string) {
  const expression = new RegExp(pattern, flags)
  return {
    // The schema library tells expressions apart by this: without it, it would take one for another.
    toString: () => String(expression),
    test(text: string): boolean {
      Object.assign(inputs, { expression, text })
      return match.runInContext(inputs, { timeout: maxMilliseconds }) === true
    },
  }
}

/** What the same library wants to know besides: how to spell it in code that is kept in a file. Ours is not. */
boundedRegExp.code = 'boundedRegExp'
