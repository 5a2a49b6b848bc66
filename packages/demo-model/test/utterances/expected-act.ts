import type { Step } from '#demo/conversation.js'
import type { SettingName } from './settings.js'

export type Category =
  | 'arithmetic'
  | 'dates and times'
  | 'small talk'
  | 'thanks and goodbye'
  | 'repeat'
  | 'abilities'
  | 'a human'
  | 'tool calls'
  | 'no tool'
  | 'corrections'
  | 'arguments'
  | 'files'
  | 'memory'
  | 'beyond it'
  | 'sub-agents'
  | 'instructions'
  | 'pictures'

/**
 * The verdict on an answer: right, missed (the model declines or asks for a value that it could have found),
 * or wrong (the model bluffs).
 */
export type Verdict = 'right' | 'missed' | 'wrong'

export type ExpectedAct = (step: Step) => Verdict

export interface Utterance {
  readonly category: Category
  readonly setting: SettingName
  /** The messages of the user. The answer to the last one is judged. */
  readonly said: readonly string[]
  readonly expected: ExpectedAct
}

type Row = readonly [said: string | readonly string[], expected: ExpectedAct]

export function group(category: Category, setting: SettingName, rows: readonly Row[]): Utterance[] {
  return rows.map(([said, expected]) => ({
    category,
    setting,
    said: typeof said === 'string' ? [said] : said,
    expected,
  }))
}

const refusal =
  /\b(?:cannot|can't|could not|did not understand|do not understand|not able|unable|do not know|don't know|have not told me|found nothing|beyond|more than)\b/i
const question = /\bI still need\b/i

function isRefusal({ text, calls }: Step): boolean {
  return calls.length === 0 && refusal.test(text) && !question.test(text)
}

/** Expects an answer that matches `pattern` and not `never`. */
export function says(pattern: RegExp, never?: RegExp): ExpectedAct {
  return (step) => {
    if (step.calls.length > 0) return 'wrong'
    if (pattern.test(step.text) && never?.test(step.text) !== true) return 'right'
    return isRefusal(step) ? 'missed' : 'wrong'
  }
}

/** Expects an honest refusal. */
export const refuses: ExpectedAct = (step) => (isRefusal(step) ? 'right' : 'wrong')

/** Expects any answer without a tool call that does not match `never`. */
export function talksWithout(never: RegExp): ExpectedAct {
  return (step) =>
    step.calls.length === 0 && step.text !== '' && !question.test(step.text) && !never.test(step.text)
      ? 'right'
      : 'wrong'
}

export const talks = talksWithout(/^$/)

/** Expects a question for an argument of a tool. */
export function asksFor(pattern: RegExp): ExpectedAct {
  return (step) => {
    if (step.calls.length === 0 && question.test(step.text) && pattern.test(step.text)) return 'right'
    return isRefusal(step) ? 'missed' : 'wrong'
  }
}

type ExpectedArguments = Readonly<Record<string, string | number | RegExp>>

/** Expects a call of this tool with exactly these arguments. */
export function calls(tool: string, expected: ExpectedArguments = {}): ExpectedAct {
  return (step) => {
    const [call] = step.calls
    if (call === undefined) {
      const asksForIt = question.test(step.text) && step.text.includes(tool.replaceAll('_', ' ').slice(-5))
      return isRefusal(step) || asksForIt ? 'missed' : 'wrong'
    }
    const given: Readonly<Record<string, unknown>> = JSON.parse(call.arguments)
    const isAsExpected =
      Object.keys(given).length === Object.keys(expected).length &&
      Object.entries(expected).every(([name, value]) =>
        value instanceof RegExp ? value.test(String(given[name])) : given[name] === value,
      )
    return call.name === tool && isAsExpected ? 'right' : 'wrong'
  }
}

/** Expects one of several acts. */
export function either(...acts: readonly ExpectedAct[]): ExpectedAct {
  return (step) => {
    const verdicts = acts.map((act) => act(step))
    if (verdicts.includes('right')) return 'right'
    return verdicts.includes('missed') ? 'missed' : 'wrong'
  }
}

/** Returns a moment in November 2026 as ISO 8601. */
export function november(day: number, hour: number, minute = 0): string {
  return new Date(2026, 10, day, hour, minute).toISOString()
}
