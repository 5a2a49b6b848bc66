import { join, resolve } from 'node:path'
import { Output } from '@parley/terminal'
import { describe, expect, test } from 'vitest'
import { describeProgress, showReport } from '#agent-tests/report.js'
import type { TestOutcome } from '#agent-tests/run-tests.js'

function outcomeOf(file: string): TestOutcome {
  const planned = {
    expect: [],
    channel: 'text',
    repeat: 1,
    pass: 1,
    withinMs: null,
    timeoutSeconds: 60,
  } as const
  return {
    test: {
      ...{ ...planned, file, name: 'opens at nine', agent: 'desk', voice: 'ash', stubs: [], context: {} },
      describeMissing: (message) => ({ file, line: 1, column: 1, field: '', message }),
      script: { kind: 'turns', turns: [] },
    },
    ...{ kind: 'passed', passed: 1, runs: [], milliseconds: 30_000 },
  }
}

describe('the report of parley test [KIT-15]', () => {
  test.each([
    [join('agents', 'desk.test.yaml'), join('agents', 'desk.test.yaml')],
    [resolve('agents/desk.test.yaml'), join('agents', 'desk.test.yaml')],
    [join('..', 'shop', 'desk.test.yaml'), resolve('../shop/desk.test.yaml')],
  ])('shows the file %s as %s', (file, shown) => {
    const line = describeProgress(outcomeOf(file), 1, 2)
    expect(line).toBe(`[1/2] ✓ ${shown} › opens at nine (text, 30.0 s)`)
  })

  test('ends with the time of all tests together, not with the sum of parallel ones', () => {
    const printed: string[] = []
    const streams = { isTTY: false, out: (text: string) => void printed.push(text), err: () => undefined }
    const outcomes = [outcomeOf('a.test.yaml'), outcomeOf('b.test.yaml')]
    showReport(new Output(streams, false), outcomes, { missing: 0, milliseconds: 31_500 })
    expect(printed.join('')).toBe('2 of 2 tests passed in 31.5 s.\n')
  })
})
