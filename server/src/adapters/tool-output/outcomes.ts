import type { ToolOutcome } from '../../ports/tool-executor.js'
import type { Concealer } from './conceal-secrets.js'

/** What a model is given to read of one answer, in characters. */
const maxOutputLength = 64 * 1024

/** The one way out of an executor: secrets first, since a cut through one would leave its beginning readable. */
export function finishOutcome(outcome: ToolOutcome, conceal: Concealer): ToolOutcome {
  return { ok: outcome.ok, output: capOutput(conceal(outcome.output)) }
}

function capOutput(text: string): string {
  if (text.length <= maxOutputLength) return text.toWellFormed()
  const note = `\n[The answer was cut: it has ${text.length} characters.]`
  return `${text.slice(0, maxOutputLength - note.length).toWellFormed()}${note}`
}

export function failed(output: string): ToolOutcome {
  return { ok: false, output }
}

export function succeeded(output: string): ToolOutcome {
  return { ok: true, output }
}

export const aborted = failed('The call was given up.')

export function notInTime(timeoutMilliseconds: number): ToolOutcome {
  const seconds = timeoutMilliseconds / 1000
  return failed(`The tool did not answer within ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`)
}
