import type { Timers } from '../../../ports/timers.js'
import type { StubAction, ToolOutcome } from '../../../ports/tool-executor.js'

export interface StubbedCall {
  readonly toolName: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
}

/** Answers a call of a rehearsal: after its time, with what its stub says, or that there is none. */
export async function answerStub(
  timers: Timers,
  { stubs }: StubAction,
  { toolName, arguments: given, signal }: StubbedCall,
): Promise<ToolOutcome> {
  const stub = stubs.find((each) => contains(given, each.arguments))
  if (stub === undefined) return { ok: false, output: missingText(toolName, stubs.length) }
  await waitFor(timers, stub.delayMilliseconds, signal)
  return { ok: stub.error === undefined, output: stub.error ?? stub.output ?? '' }
}

function missingText(toolName: string, count: number): string {
  return count === 0
    ? `The tool ${toolName} has no stub in this rehearsal. It was not called.`
    : `None of the stubs of ${toolName} in this rehearsal is for these arguments. It was not called.`
}

/** Whether all that is wanted is there, to any depth, with equal values; lists are equal or not. */
function contains(given: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(given) &&
      given.length === wanted.length &&
      wanted.every((each, index) => contains(given[index], each))
    )
  if (!isFields(wanted)) return given === wanted
  return (
    isFields(given) &&
    Object.entries(wanted).every(
      ([name, value]) => Object.hasOwn(given, name) && contains(given[name], value),
    )
  )
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function waitFor(timers: Timers, milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0 || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = timers.after(milliseconds, end)
    signal.addEventListener('abort', end, { once: true })
  })
}
