import { relative, resolve } from 'node:path'
import type { Output } from '@parley/terminal'
import type { Miss } from './check-exchange.js'
import type { RunOutcome } from './run-once.js'
import type { TestOutcome } from './run-tests.js'

const marks = { passed: '✓', failed: '✗', broken: '!' } as const

/** Returns the line for a finished test. */
export function describeProgress(outcome: TestOutcome, done: number, total: number): string {
  const { test, kind, passed, runs } = outcome
  const rate = runs.length > 1 ? `, ${passed} of ${runs.length}` : ''
  const place = `${shownPath(test.file)} › ${test.name}`
  return `[${done}/${total}] ${marks[kind]} ${place} (${test.channel}${rate}, ${seconds(outcome)})`
}

/** Returns the path relative to the current folder, or the whole path if the file is elsewhere. */
function shownPath(file: string): string {
  const path = relative('', file)
  return path.startsWith('..') ? resolve(file) : path
}

/** What the report covers besides the outcomes. */
export interface ReportTotals {
  /** The number of tests that were not run. */
  readonly missing: number
  /** The time from the first test to the last. Parallel tests take less than the sum of their times. */
  readonly milliseconds: number
}

/** Returns the final report: the failures with their conversations, and the totals. */
function describeReport(outcomes: readonly TestOutcome[], { missing, milliseconds }: ReportTotals): string[] {
  const bad = outcomes.filter(({ kind }) => kind !== 'passed')
  const count = (kind: TestOutcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length
  const sums = [
    `${count('passed')} of ${outcomes.length + missing} tests passed`,
    ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
    ...(count('broken') > 0 ? [`${count('broken')} could not be run`] : []),
    ...(missing > 0 ? [`${missing} were not run`] : []),
  ]
  return [...bad.flatMap(describeFailure), `${sums.join(', ')} in ${seconds({ milliseconds })}.`]
}

function describeFailure(outcome: TestOutcome): string[] {
  const { test, kind, passed, runs } = outcome
  const need = `${passed} of ${runs.length} runs passed, ${test.pass} must`
  return [
    `${marks[kind]} ${shownPath(test.file)} › ${test.name} (${need})`,
    ...describeRuns(outcome).map((line) => (line === '' ? '' : `    ${line}`)),
    '',
  ]
}

/** Describes the runs that did not pass. Runs that fail in the same way are listed once. */
function describeRuns({ runs }: TestOutcome): string[] {
  const told = new Map<string, { readonly run: RunOutcome; count: number }>()
  for (const run of runs) {
    if (run.kind === 'passed') continue
    const key = JSON.stringify([run.reason, run.misses.map(({ expectation }) => expectation)])
    const known = told.get(key)
    if (known === undefined) told.set(key, { run, count: 1 })
    else known.count += 1
  }
  return [...told.values()].flatMap(({ run, count }) => [
    ...(run.reason === null ? [] : [`could not be run: ${run.reason}`]),
    ...run.misses.map(describeMiss),
    ...(count > 1 ? [`(${count} runs failed in this way, this is the first)`] : []),
    ...run.transcript.map((line) => `  ${line}`),
  ])
}

function describeMiss({ expectation, wanted, got }: Miss): string {
  return `${expectation}: expected ${wanted}; got ${got}`
}

function reportJson(outcomes: readonly TestOutcome[], { missing, milliseconds }: ReportTotals) {
  return {
    ok: missing === 0 && outcomes.every(({ kind }) => kind === 'passed'),
    missing,
    milliseconds: Math.round(milliseconds),
    tests: outcomes.map(({ test, kind, passed, runs, milliseconds }) => ({
      file: test.file,
      name: test.name,
      agent: test.agent,
      channel: test.channel,
      verdict: kind,
      passed,
      pass: test.pass,
      milliseconds: Math.round(milliseconds),
      runs: runs.map((run) => ({ ...run, milliseconds: Math.round(run.milliseconds) })),
    })),
  }
}

/** Prints the report in the requested format. */
export function showReport(output: Output, outcomes: readonly TestOutcome[], totals: ReportTotals): void {
  output.result(reportJson(outcomes, totals), () => describeReport(outcomes, totals))
}

function seconds({ milliseconds }: Pick<TestOutcome, 'milliseconds'>): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

/** Returns the report in the JUnit format: one suite for each file, one case for each test. */
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

/** Escapes text for XML. Removes characters that XML cannot represent. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
