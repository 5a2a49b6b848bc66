import { describeTable } from '@parley/stage/terminal/table'
import { formatFigure, type Row } from './row.js'

/** The rows of one scenario as a table: one line per subject, one column per figure. */
interface RowTable {
  readonly bench: string
  readonly scenario: string
  readonly title: string
  /** The first line has the column names. */
  readonly lines: readonly (readonly string[])[]
  readonly notes: readonly string[]
}

export function makeRowTables(rows: readonly Row[]): RowTable[] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = `${row.bench} ${row.scenario}`
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups.values()].map(makeTable)
}

function makeTable(rows: readonly Row[]): RowTable {
  const [{ bench, scenario, title } = { bench: '', scenario: '', title: '' }] = rows
  const measured = rows.filter(({ figures }) => figures.length > 0)
  const isLonely = (name: string) =>
    measured.length > 2 && measured.filter((row) => row.figures.some((one) => one.name === name)).length === 1
  const columns = new Map(
    measured.flatMap(({ figures }) =>
      figures
        .filter(({ name }) => !isLonely(name))
        .map(({ name, unit }) => [name, `${name} ${unit}`.trim()] as const),
    ),
  )
  const lines = measured.map(({ subject, figures }) => [
    subject,
    ...[...columns.keys()].map((name) => {
      const found = figures.find((figure) => figure.name === name)
      return found === undefined ? '' : formatFigure(found)
    }),
  ])
  // A figure of only one subject becomes a note, because its column would be empty otherwise.
  const lonely = measured.flatMap(({ subject, figures }) => {
    const own = figures.filter(({ name }) => isLonely(name))
    const formatted = own.map((one) => `${one.name} ${formatFigure(one)} ${one.unit}`.trim())
    return formatted.length === 0 ? [] : [`${subject}: ${formatted.join(', ')}`]
  })
  const notes = rows.flatMap(({ subject, note }) => (note === undefined ? [] : [`${subject}: ${note}`]))
  return {
    bench,
    scenario,
    title,
    lines: [['', ...columns.values()], ...lines],
    notes: [...lonely, ...notes],
  }
}

/** Formats the tables for the terminal. */
export function describeRows(rows: readonly Row[]): string {
  return makeRowTables(rows)
    .map(({ title, lines, notes }) => ['', `${title}:`, '', describeTable(lines), ...notes, ''].join('\n'))
    .join('\n')
}
