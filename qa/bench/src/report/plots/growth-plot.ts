import { element, line, picture, seriesCount, text } from './svg.js'

/** A plot with logarithmic axes: a power law is a straight line, and the slope is its exponent. */
export interface GrowthPlot {
  readonly title: string
  readonly amountLabel: string
  readonly costLabel: string
  readonly amounts: readonly number[]
  readonly series: readonly GrowthSeries[]
}

export interface GrowthSeries {
  readonly name: string
  readonly exponent: number
  /** The cost of each amount, relative to the smallest one. */
  readonly costs: readonly number[]
}

const width = 960
const height = 500
const left = 76
const right = 520
const top = 60
const bottom = height - 66
const legendLine = 26

export function drawGrowthPlot({ title, amountLabel, costLabel, amounts, series }: GrowthPlot): string {
  const largest = Math.max(...amounts)
  const steps = powersOfTwo(Math.max(largest, ...series.flatMap(({ costs }) => costs)))
  const max = steps.at(-1) ?? largest
  const x = (amount: number) => left + (Math.log(amount) / Math.log(largest)) * (right - left)
  const y = (cost: number) => bottom - (Math.log(Math.max(1, cost)) / Math.log(max)) * (bottom - top)
  const curve = (points: readonly (readonly [number, number])[], className: string) =>
    element('polyline', {
      class: className,
      points: points.map((point) => point.map(Math.round).join(',')).join(' '),
    })
  const ordered = series.toSorted((one, other) => other.exponent - one.exponent)
  const content = [
    ...steps.flatMap((step) => [
      line([left, y(step)], [right, y(step)], 'faint'),
      text({ class: 'ink small', x: left - 8, y: y(step) + 4, 'text-anchor': 'end' }, `${step}x`),
    ]),
    ...amounts.flatMap((amount) => [
      line([x(amount), top], [x(amount), bottom], 'faint'),
      text({ class: 'ink small', x: x(amount), y: bottom + 18, 'text-anchor': 'middle' }, `${amount}x`),
    ]),
    ...ordered.flatMap(({ costs }, index) => {
      const points = costs.map((cost, index) => [x(amounts[index] ?? 1), y(cost)] as const)
      const color = index % seriesCount
      return [
        curve(points, `line stroke${color}`),
        ...points.map(([cx, cy]) => element('circle', { class: `fill${color}`, cx, cy, r: 3.5 })),
      ]
    }),
    line([x(1), y(1)], [x(largest), y(largest)], 'mark'),
    ...legend(ordered),
    text(
      { class: 'ink', transform: `translate(20 ${(top + bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle' },
      costLabel,
    ),
    text({ class: 'ink', x: (left + right) / 2, y: height - 16, 'text-anchor': 'middle' }, amountLabel),
  ]
  const description = ordered
    .map(({ name, exponent }) => `${name}: exponent ${exponent.toFixed(2)}`)
    .join('. ')
  return picture({ width, height, title, description }, content)
}

function legend(series: readonly GrowthSeries[]): string[] {
  const row = (index: number) => top + 12 + legendLine * index
  return [
    line([right + 24, row(0) - 4], [right + 48, row(0) - 4], 'mark'),
    text({ class: 'ink', x: right + 56, y: row(0) }, 'linear: exponent 1'),
    ...series.flatMap(({ name, exponent }, index) => [
      element('rect', {
        class: `fill${index % seriesCount}`,
        x: right + 30,
        y: row(index + 1) - 11,
        width: 12,
        height: 12,
        rx: 2,
      }),
      text({ class: 'ink', x: right + 56, y: row(index + 1) }, `${exponent.toFixed(2)}  ${name}`),
    ]),
  ]
}

function powersOfTwo(max: number): number[] {
  return Array.from({ length: Math.ceil(Math.log2(max)) + 1 }, (_, power) => 2 ** power)
}
