import { FairQueue } from '../../concurrency/fair-queue.js'
import type { Timers } from '../../ports/time.js'
import {
  type ArgumentChecker,
  type CheckedArguments,
  type GivenArguments,
  maxArgumentsCharacters,
  omittedArguments,
} from '../../ports/tool-executor.js'
import { CheckThread, type CheckThreadOptions } from './check-thread.js'
import { readArguments } from './read-arguments.js'

const maxSchemaCharacters = 256 * 1024
/** Valid schemas finish far sooner, even on a busy machine. */
const maxMilliseconds = 5000

/**
 * Two, so that an organization whose schema never finishes occupies only one thread and the others can use
 * the second.
 */
const slotLimits = {
  atOnce: 2,
  atOncePerOwner: 1,
  maxWaiting: 1000,
  maxWaitingPerOwner: 100,
  maxWaitMilliseconds: 15_000,
}

/**
 * Checks arguments in threads that can be terminated, because even a small schema can take minutes: for
 * example, refs that fan out, lists of unique items, and patterns that backtrack.
 */
export function makeArgumentChecker(
  timers: Timers,
  tuning: Partial<CheckThreadOptions> = {},
): ArgumentChecker {
  const slots = new FairQueue(timers, slotLimits)
  const options = { maxMilliseconds, ...tuning }
  const threads = Array.from({ length: slotLimits.atOnce }, () => new CheckThread(options))
  const idle = [...threads]

  async function checkFit(schemaText: string, argumentsText: string) {
    // There are as many threads as slots, so one is always free here.
    const thread = idle.pop()
    if (thread === undefined) return null
    try {
      return await thread.check({ schemaText, argumentsText })
    } finally {
      idle.push(thread)
    }
  }

  return {
    async check({ organizationId, schema, argumentsText }: GivenArguments): Promise<CheckedArguments> {
      if (argumentsText.length > maxArgumentsCharacters || argumentsText === omittedArguments)
        return refuse(
          `The arguments are too long. The limit is ${maxArgumentsCharacters} characters, both for one call and for all calls in one answer combined.`,
        )
      const read = readArguments(argumentsText)
      if (!read.ok) return read
      const schemaText = textOf(schema)
      if (schemaText === null || schemaText.length > maxSchemaCharacters)
        return refuse('The schema is too large.')
      const checked = await slots.run(organizationId, () => checkFit(schemaText, read.text))
      if (!checked.ok) return refuse('Too many checks are running. Try again soon.')
      if (checked.value === null) return refuse('The JSON takes too long to check against the schema.')
      return checked.value.ok ? { ok: true, arguments: read.value, text: read.text } : checked.value
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

/** Returns null if the schema is nested too deeply to be serialized. */
function textOf(schema: GivenArguments['schema']): string | null {
  try {
    return JSON.stringify(schema)
  } catch {
    return null
  }
}

function refuse(problem: string): CheckedArguments {
  return { ok: false, problem }
}
