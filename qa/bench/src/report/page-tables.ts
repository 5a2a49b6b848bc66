import { findFigure, formatFigure, formatNumber, type Row } from './row.js'

/** A table of the page: one line per scenario, or one line per subject of one scenario. */
export type PageTable = ScenarioTable | SubjectTable

interface ScenarioTable {
  readonly head: string
  readonly columns: readonly ScenarioColumn[]
}

interface SubjectTable {
  readonly head: string
  readonly scenario: string
  readonly columns: readonly Column[]
}

interface Column {
  readonly head: string
  readonly figure: string
  /** Whether the minimum and maximum of the rounds follow the median. */
  readonly hasRange?: boolean
}

interface ScenarioColumn extends Column {
  readonly subject: string
}

/** Returns the table in Markdown, or nothing if the rows have none of its figures. */
export function drawPageTable(table: PageTable, bench: string, rows: readonly Row[]): string[] {
  const own = rows.filter((row) => row.bench === bench)
  const lines = 'scenario' in table ? subjectLines(table, own) : scenarioLines(table, own)
  const filled = lines.filter(([, ...cells]) => cells.some((cell) => cell !== ''))
  if (filled.length === 0) return []
  return [markdownTable([[table.head, ...table.columns.map(({ head }) => head)], ...filled])]
}

/** Returns the notes of a bench's rows as a Markdown list, such as the reason for a missing figure. */
export function drawNotes(bench: string, rows: readonly Row[]): string[] {
  const notes = rows.flatMap((row) =>
    row.bench === bench && row.note !== undefined
      ? [`- \`${row.scenario}\`, ${row.subject}: ${withFullStop(row.note)}`]
      : [],
  )
  return notes.length === 0 ? [] : [notes.join('\n')]
}

export function markdownTable(lines: readonly (readonly string[])[]): string {
  const [head = [], ...body] = lines
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [row(head), `|${head.map(() => '---').join('|')}|`, ...body.map(row)].join('\n')
}

function scenarioLines({ columns }: ScenarioTable, rows: readonly Row[]): string[][] {
  const scenarios = [...new Set(rows.map(({ scenario }) => scenario))]
  return scenarios.map((scenario) => [
    scenario,
    ...columns.map((column) => cellOf(rows, scenario, column.subject, column)),
  ])
}

function subjectLines({ scenario, columns }: SubjectTable, rows: readonly Row[]): string[][] {
  return rows
    .filter((row) => row.scenario === scenario)
    .map(({ subject }) => [subject, ...columns.map((column) => cellOf(rows, scenario, subject, column))])
}

function cellOf(rows: readonly Row[], scenario: string, subject: string, column: Column): string {
  const [{ bench } = { bench: '' }] = rows
  const found = findFigure(rows, { bench, scenario, subject, name: column.figure })
  if (found === undefined) return ''
  return column.hasRange ? formatFigure(found) : formatNumber(found.median)
}

const withFullStop = (sentence: string) => `${sentence}${/[.!?]$/.test(sentence) ? '' : '.'}`
