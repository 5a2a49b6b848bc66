import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { exponentOf } from '#bench/growth/exponent.js'
import { makeCertificate } from '#bench/relay/tls/make-certificate.js'
import { exponentName, judgeBars } from '#bench/report/bars.js'
import { readReport } from '#bench/report/bench-report.js'
import { figuresFile, pageFile, renderPerformancePage } from '#bench/report/performance-page.js'
import { drawPlots } from '#bench/report/plots/report-plots.js'
import { figure, type Row } from '#bench/report/row.js'
import { makeRowTables } from '#bench/report/row-tables.js'
import { findMost, type Trial } from '#bench/sessions/find-most.js'

/* Tests how `npm run bench` reports its figures. Nothing is measured. */
const relayRow = (subject: string, ratios: readonly number[]): Row => ({
  bench: 'relay',
  scenario: '100',
  title: 'A load',
  subject,
  figures: figure('CPU x blind relay', '', ratios),
})

describe('The figures of the bench', () => {
  test('figures match docs/internals/performance.md and its plots, without manual changes [PERF-7]', async () => {
    const report = await readReport(figuresFile)
    expect(await readFile(pageFile, 'utf8')).toBe(renderPerformancePage(report))
    for (const { file, svg } of drawPlots(report))
      expect(await readFile(`docs/internals/performance/${file}`, 'utf8')).toBe(svg)
  })

  test('figures are shown with their spread, or with the reason why they are missing [PERF-7]', () => {
    const absent: Row = { ...relayRow('nginx', []), note: 'not installed on this machine' }
    const [table] = makeRowTables([
      relayRow('Parley', [1.04, 0.9, 0.95]),
      relayRow('blind relay', [1]),
      absent,
    ])
    expect(table?.lines).toEqual([
      ['', 'CPU x blind relay'],
      ['Parley', '0.95 (0.90 to 1.04)'],
      ['blind relay', '1'],
    ])
    expect(table?.notes).toEqual(['nginx: not installed on this machine'])
  })

  test.each([
    [0.8, 'met'],
    [1, 'enough'],
    [1.1, 'missed'],
  ] as const)('figures are judged: a ratio of %s to the blind relay is %s [PERF-7]', (ratio, verdict) => {
    const [bar, other] = judgeBars([relayRow('Parley', [ratio])])
    expect(bar).toMatchObject({ measured: ratio, verdict })
    expect(other).toMatchObject({ measured: null, verdict: 'not measured' })
  })

  test('growth is judged by the largest exponent of processor time and memory [PERF-7]', () => {
    const grown = (scenario: string, exponent: number): Row => ({
      bench: 'growth',
      scenario,
      title: 'What grows',
      subject: scenario,
      figures: figure(exponentName, '', [exponent]),
    })
    const judge = (...rows: Row[]) => judgeBars(rows).find(({ name }) => name.startsWith('growth'))
    expect(judge(grown('growth', 1.2), grown('memory', 0.9))).toMatchObject({
      verdict: 'missed',
      measured: 1.2,
    })
    expect(judge(grown('growth', 0.9), grown('memory', 1.2))).toMatchObject({
      verdict: 'missed',
      measured: 1.2,
    })
    expect(judge(grown('growth', 0.9), grown('memory', 1))).toMatchObject({ verdict: 'met', measured: 1 })
  })

  test.each([0.5, 1, 2])('costs that grow with an exponent of %s have this exponent [PERF-7]', (exponent) => {
    expect(exponentOf([1, 2, 4, 8].map((factor) => 3 * factor ** exponent))).toBeCloseTo(exponent, 10)
  })
})

describe('The search for the most sessions', () => {
  const bounds = { from: 50, to: 3200, precision: 0.1, hasTime: () => true }
  const upTo = (most: number, above: Trial) => async (amount: number) => (amount <= most ? 'held' : above)

  test.each([
    [30, 'too much', { most: 29, endedBy: 'too much' }],
    [470, 'too much', { most: 450, endedBy: 'too much' }],
    [470, 'cannot tell', { most: 450, endedBy: 'cannot tell' }],
    [9999, 'too much', { most: 3200, endedBy: 'end of the search' }],
  ] as const)('finds %s if more is %s', async (most, above, found) => {
    expect(await findMost(upTo(most, above), bounds)).toEqual(found)
  })

  test('ends when its time is up', async () => {
    let trials = 0
    const hasTime = () => trials++ < 2
    expect(await findMost(upTo(9999, 'too much'), { ...bounds, hasTime })).toEqual({
      most: 100,
      endedBy: 'end of the search',
    })
  })
})

test('the certificate of the bench is for this machine and self-signed', () => {
  const certificate = new X509Certificate(makeCertificate().cert)
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(certificate.checkHost('localhost')).toBe('localhost')
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.ca).toBe(true)
  expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now())
})
