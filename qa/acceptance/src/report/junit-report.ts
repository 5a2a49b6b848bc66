import type { Outcome, Summary } from '../outcome.js'
import { factsOf } from './terminal-report.js'

/** The report format that CI systems read. */
export function describeJunit({ outcomes, run, startedAt, seconds }: Summary): string {
  const groups = [...new Set(outcomes.map(({ group }) => group))]
  const suites = groups.map((group) => {
    const own = outcomes.filter((outcome) => outcome.group === group)
    const attributes = { name: group, ...countsOf(own), time: secondsOf(own) }
    return element('testsuite', attributes, own.map(describeCase).join(''))
  })
  const attributes = { name: run, ...countsOf(outcomes), time: seconds.toFixed(3), timestamp: startedAt }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, suites.join(''))}`
}

function describeCase(outcome: Outcome): string {
  const attributes = { classname: outcome.group, name: outcome.title, time: secondsOf([outcome]) }
  switch (outcome.kind) {
    case 'passed':
      return element('testcase', attributes, '')
    case 'skipped':
      return element('testcase', attributes, element('skipped', { message: outcome.reason }, ''))
    case 'failed': {
      const { failure } = outcome
      const facts = factsOf(failure).map(([name, text]) => `${name}: ${text}`)
      const body = element('failure', { message: failure.got }, escaped(facts.join('\n')))
      return element('testcase', attributes, body)
    }
  }
}

function countsOf(outcomes: readonly Outcome[]): Record<string, string> {
  const count = (kind: Outcome['kind']) => String(outcomes.filter((outcome) => outcome.kind === kind).length)
  return { tests: String(outcomes.length), failures: count('failed'), skipped: count('skipped') }
}

const secondsOf = (outcomes: readonly Outcome[]) =>
  (outcomes.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000).toFixed(3)

function element(name: string, attributes: Readonly<Record<string, string>>, body: string): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  return `<${name}${given.join('')}>${body}</${name}>\n`
}

/** Removes characters that XML cannot represent. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
