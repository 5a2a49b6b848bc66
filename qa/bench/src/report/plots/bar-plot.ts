import { type Figure, formatNumber } from '../row.js'
import { evenScale, tenfoldScale } from './scale.js'
import { element, line, picture, seriesCount, text } from './svg.js'

/** A bar chart. The whisker of each bar shows the minimum and maximum of the rounds. */
export interface BarPlot {
  readonly title: string
  readonly valueLabel: string
  readonly groupLabel: string
  readonly series: readonly string[]
  readonly groups: readonly BarGroup[]
  /** A value marked by a horizontal line. */
  readonly mark?: number
  /** Set for a logarithmic axis: the lowest value that has a bar. */
  readonly least?: number
}

export interface BarGroup {
  readonly name: string
  /** One value per series, if it has one. */
  readonly figures: readonly (Figure | undefined)[]
}

const width = 1200
const height = 460
const left = 76
const right = width - 20
const top = 86
const bottom = height - 66

export function drawBarPlot(plot: BarPlot): string {
  const { title, valueLabel, groupLabel, series, groups, mark, least } = plot
  const all = groups.flatMap(({ figures }) => figures.filter((one) => one !== undefined))
  const highest = Math.max(...all.map(({ most }) => most), mark ?? 0, 1e-6) * 1.06
  const { steps, share } = least === undefined ? evenScale(highest) : tenfoldScale(least, highest)
  const heightOf = (value: number) => bottom - share(value) * (bottom - top)
  const groupWidth = (right - left) / groups.length
  const description = groups
    .map(({ name, figures }) => {
      const formatted = figures.map(
        (one, index) => `${series[index]} ${one ? formatNumber(one.median) : 'not measured'}`,
      )
      return `${name}: ${formatted.join(', ')}`
    })
    .join('. ')
  const content = [
    ...legend(series),
    ...steps.flatMap((step) => [
      line([left, heightOf(step)], [right, heightOf(step)], 'faint'),
      text({ class: 'ink small', x: left - 8, y: heightOf(step) + 4, 'text-anchor': 'end' }, trimmed(step)),
    ]),
    ...(mark === undefined ? [] : [line([left, heightOf(mark)], [right, heightOf(mark)], 'mark')]),
    ...groups.flatMap((group, index) => drawGroup(group, left + groupWidth * index, groupWidth, heightOf)),
    line([left, bottom], [right, bottom], 'axis'),
    text(
      { class: 'ink', transform: `translate(20 ${(top + bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle' },
      valueLabel,
    ),
    text({ class: 'ink', x: (left + right) / 2, y: height - 16, 'text-anchor': 'middle' }, groupLabel),
  ]
  return picture({ width, height, title, description }, content)
}

function drawGroup(
  { name, figures }: BarGroup,
  start: number,
  groupWidth: number,
  heightOf: (value: number) => number,
): string[] {
  const barWidth = Math.min(46, (groupWidth * 0.84) / figures.length)
  const first = start + (groupWidth - barWidth * figures.length) / 2
  const bars = figures.flatMap((one, index) => {
    if (one === undefined) return []
    const x = first + barWidth * index
    const middle = x + barWidth / 2
    const [least, most] = [heightOf(one.least), heightOf(one.most)]
    const y = heightOf(one.median)
    return [
      element('rect', {
        class: `fill${index % seriesCount}`,
        x: x + 1,
        y,
        width: barWidth - 2,
        height: bottom - y,
      }),
      ...(least === most
        ? []
        : [
            line([middle, least], [middle, most], 'whisker'),
            line([middle - 4, least], [middle + 4, least], 'whisker'),
            line([middle - 4, most], [middle + 4, most], 'whisker'),
          ]),
    ]
  })
  // Labels are drawn after all bars, because each label is wider than its bar.
  const values = figures.flatMap((one, index) => {
    if (one === undefined) return []
    const at = { x: first + barWidth * (index + 0.5), y: heightOf(one.most) - 5 }
    return [text({ class: 'ink small label', ...at, 'text-anchor': 'middle' }, short(one.median))]
  })
  const label = { class: 'ink', x: start + groupWidth / 2, y: bottom + 20, 'text-anchor': 'middle' }
  return [...bars, ...values, text(label, name)]
}

function legend(series: readonly string[]): string[] {
  let x = left
  return series.flatMap((name, index) => {
    const at = x
    x += 34 + name.length * 7.5
    return [
      element('rect', { class: `fill${index % seriesCount}`, x: at, y: 48, width: 12, height: 12, rx: 2 }),
      text({ class: 'ink', x: at + 18, y: 59 }, name),
    ]
  })
}

const trimmed = (value: number) => String(Number(value.toPrecision(3)))
/** More labels above a bar do not fit. */
const short = (value: number) => value.toFixed(Math.abs(value) >= 10 ? 0 : 2)
