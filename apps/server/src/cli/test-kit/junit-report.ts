import type { TestOutcome } from './run-tests.js'
import { describeMiss, describeRuns } from './terminal-report.js'

/** The form that CI systems read: a suite for each file, a case for each test. */
export function describeJunit(outcomes: readonly TestOutcome[], startedAt: string): string {
  const files = [...new Set(outcomes.map(({ test }) => test.file))]
  const suites = files.map((file) => {
    const own = outcomes.filter(({ test }) => test.file === file)
    return element(
      'testsuite',
      { name: file, ...sumsOf(own), timestamp: startedAt },
      own.map(describeCase).join(''),
    )
  })
  const whole = element('testsuites', { name: 'parley test', ...sumsOf(outcomes) }, suites.join(''))
  return `<?xml version="1.0" encoding="UTF-8"?>\n${whole}`
}

function describeCase(outcome: TestOutcome): string {
  const { test, kind, runs, passed } = outcome
  const attributes = { classname: test.file, name: test.name, time: secondsOf([outcome]) }
  if (kind === 'passed') return element('testcase', attributes, '')
  const text = escaped(describeRuns(outcome).join('\n'))
  const [first] = runs.flatMap(({ reason, misses }) => reason ?? misses.map(describeMiss))
  const message = `${passed} of ${runs.length} runs passed, ${test.pass} must: ${first ?? ''}`
  const verdict = kind === 'failed' ? 'failure' : 'error'
  return element('testcase', attributes, element(verdict, { message }, text))
}

function sumsOf(outcomes: readonly TestOutcome[]): Record<string, string> {
  const count = (kind: TestOutcome['kind']) =>
    String(outcomes.filter((outcome) => outcome.kind === kind).length)
  return {
    tests: String(outcomes.length),
    failures: count('failed'),
    errors: count('broken'),
    time: secondsOf(outcomes),
  }
}

const secondsOf = (outcomes: readonly TestOutcome[]) =>
  (outcomes.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000).toFixed(3)

function element(name: string, attributes: Readonly<Record<string, string>>, body: string): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  return `<${name}${given.join('')}>${body}</${name}>\n`
}

/** Characters that XML has no way to write are left out; a line break in an attribute would be read as a space. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
