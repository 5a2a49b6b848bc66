import { median } from '@parley/stage/terminal/figures'

/** One measured figure, round by round. */
export interface Figure {
  readonly name: string
  readonly unit: string
  readonly median: number
  readonly least: number
  readonly most: number
  /** In the order of the rounds. */
  readonly values: readonly number[]
}

/** The figures of one subject in one scenario. Every bench returns its results as rows. */
export interface Row {
  readonly bench: string
  /** The scenario's name; `title` describes it. */
  readonly scenario: string
  readonly title: string
  readonly subject: string
  readonly figures: readonly Figure[]
  /** For example the reason why there are no figures. */
  readonly note?: string
}

/** Returns an empty list if no round gave a number. */
export function figure(name: string, unit: string, values: readonly number[]): readonly Figure[] {
  const finite = values.filter(Number.isFinite)
  if (finite.length === 0) return []
  const range = { least: Math.min(...finite), most: Math.max(...finite) }
  return [{ name, unit, median: median(finite), ...range, values: finite }]
}

export interface FigureId {
  readonly bench: string
  readonly scenario: string
  readonly subject: string
  readonly name: string
}

export function findFigure(rows: readonly Row[], position: FigureId): Figure | undefined {
  return rows
    .find(
      ({ bench, scenario, subject }) =>
        bench === position.bench && scenario === position.scenario && subject === position.subject,
    )
    ?.figures.find(({ name }) => name === position.name)
}

/** Rounds to about three significant digits. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value)) return String(value)
  const size = Math.abs(value)
  if (size >= 100) return value.toFixed(0)
  return value.toFixed(size >= 10 ? 1 : 2)
}

/** The median, then the minimum and maximum of the rounds in brackets. */
export function formatFigure({ median, least, most }: Figure): string {
  const [low, high] = [formatNumber(least), formatNumber(most)]
  return low === high ? formatNumber(median) : `${formatNumber(median)} (${low} to ${high})`
}
