import type { ToolOutcome } from '../../ports/tool-executor.js'
import { type Concealer, concealBeginning } from './conceal-secrets.js'

/** The maximum length of one output for a model, in characters. */
const maxOutputLength = 64 * 1024

/**
 * Must be applied to every outcome. Conceals secrets before the text is truncated. Otherwise, the start of a
 * truncated secret would remain readable.
 */
export function finishOutcome({ output, ...outcome }: ToolOutcome, conceal: Concealer): ToolOutcome {
  return { ...outcome, output: capOutput(concealBeginning(conceal, output, maxOutputLength), output.length) }
}

function capOutput(text: string, fullLength: number): string {
  if (fullLength <= maxOutputLength && text.length <= maxOutputLength) return text.toWellFormed()
  const note = `\n[Truncated: the answer has ${fullLength} characters.]`
  return `${text.slice(0, maxOutputLength - note.length).toWellFormed()}${note}`
}

export function failed(output: string): ToolOutcome {
  return { ok: false, output }
}

/** The outcome of a call without a response. If the request was sent, it may have taken effect. */
export function unanswered(output: string, isSent: boolean): ToolOutcome {
  return isSent ? { ...failed(output), isUnknown: true } : failed(output)
}

export function succeeded(output: string): ToolOutcome {
  return { ok: true, output }
}

export const aborted = failed('The call was cancelled.')

export function notInTime(timeoutMilliseconds: number, isSent: boolean): ToolOutcome {
  const seconds = timeoutMilliseconds / 1000
  const output = `The tool did not respond within ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
  return unanswered(output, isSent)
}
