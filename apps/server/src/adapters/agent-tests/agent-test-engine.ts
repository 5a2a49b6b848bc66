import type { TestOutcome } from '@parley/agent-tests'
import type { AgentTestEngine, FreshResult, TestDefinition } from '../../ports/agent-test-engine.js'

/** Compares the meanings of sentences, for expectations about what an answer means. */
export interface Meaning {
  likeness(texts: readonly string[], wanted: string): Promise<readonly number[] | null>
  close(): Promise<void>
}

/** The engine of `parley test`, for tests that the service stores. It is loaded on first use. */
export function makeAgentTestEngine(openMeaning: () => Meaning): AgentTestEngine {
  return {
    async read(definition) {
      const outcome = await plan(definition)
      if (!outcome.ok) return { ok: false, mistakes: outcome.mistakes }
      const tests = outcome.tests.map(({ name, channel, repeat }) => ({ name, channel, repetitions: repeat }))
      return { ok: true, tests }
    },

    async run({ definitions, judgeId, userId, service, signal, onResult }) {
      const { runStoredTests } = await import('@parley/agent-tests')
      const plans = await Promise.all(
        definitions.map(async (definition) => ({ ...definition, outcome: await plan(definition) })),
      )
      const planned = plans.flatMap(({ testId, agentId, outcome }) =>
        outcome.ok ? outcome.tests.map((test) => ({ testId, agentId, test })) : [],
      )
      const agentId = planned[0]?.agentId
      if (agentId === undefined) return
      const tests = planned.map(({ test }) => test)
      const meaning = openMeaning()
      try {
        await runStoredTests({
          tests,
          service,
          meaning,
          signal,
          cast: { agentId, judgeId, userId },
          onTest(outcome) {
            const position = tests.indexOf(outcome.test)
            const testId = planned[position]?.testId
            if (testId !== undefined && !signal.aborted) onResult(position, resultOf(testId, outcome))
          },
        })
      } finally {
        await meaning.close()
      }
    },
  }
}

/**
 * Only the first error is reported, because an unclosed bracket can make the rest of the document invalid.
 */
const maxMistakes = 20

async function plan(definition: TestDefinition) {
  const { readStoredTests } = await import('@parley/agent-tests')
  const outcome = readStoredTests(definition)
  if (outcome.ok) return outcome
  const mistakes = outcome.errors
    .slice(0, maxMistakes)
    .map(
      ({ line, column, field, message }) =>
        `has an error in line ${line}, column ${column}: ${field === '' ? '' : `${field} `}${message}`,
    )
  return { ok: false, mistakes } as const
}

const verdicts = { passed: 'passed', failed: 'failed', broken: 'not_run' } as const

function resultOf(testId: string, { test, kind, passed, runs, milliseconds }: TestOutcome): FreshResult {
  const shown =
    runs.find((run) => run.kind === kind && kind !== 'passed') ??
    runs.find((run) => run.kind !== 'passed') ??
    runs[0]
  return {
    testId,
    name: test.name,
    verdict: verdicts[kind],
    passed,
    required: test.pass,
    repetitions: test.repeat,
    durationMilliseconds: Math.round(milliseconds),
    reason: kind === 'broken' ? (shown?.reason ?? null) : null,
    unmet: (shown?.misses ?? []).map(({ expectation, wanted, got }) => ({
      expectation,
      expected: wanted,
      actual: got,
    })),
    transcript: [...(shown?.transcript ?? [])],
  }
}
