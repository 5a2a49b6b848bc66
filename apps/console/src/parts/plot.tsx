import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'

export interface PlotSeries {
  readonly label: string
  /** A color name of the theme. */
  readonly color: string
  readonly values: readonly (number | null)[]
}

interface PlotProps {
  /** Seconds since 1970. */
  readonly times: readonly number[]
  readonly series: readonly PlotSeries[]
  readonly isBars?: boolean
  readonly formatLabel: (value: number) => string
}

const height = 170

/** Lines or bars over time. Hidden from screen readers, which get a table. */
export function Plot(props: PlotProps) {
  // The theme's colors are read at drawing time.
  return <DrawnPlot key={useComputedColorScheme('light')} {...props} />
}

function DrawnPlot({ times, series, isBars = false, formatLabel }: PlotProps) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = container.current
    if (element === null) return
    const plot = new UPlot(
      optionsOf({ element, times, series, isBars, formatLabel }),
      [[...times], ...series.map(({ values }) => [...values])],
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [times, series, isBars, formatLabel])
  return <div ref={container} style={{ minHeight: height }} aria-hidden />
}

interface OptionsInput extends Required<Pick<PlotProps, 'times' | 'series' | 'isBars' | 'formatLabel'>> {
  readonly element: HTMLElement
}

function optionsOf({ element, times, series, isBars, formatLabel }: OptionsInput): UPlot.Options {
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(`--mantine-color-${name}`).trim()
  const [text, line] = [color('dimmed'), style.getPropertyValue('--parley-line').trim()]
  const axis = {
    stroke: text,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
    font: '11px system-ui',
  }
  // A day is an hour shorter when daylight saving time begins.
  const isDaily = isBars && bucketSeconds(times) >= 23 * 3600
  const bars = UPlot.paths.bars?.({ size: [0.6, 40], radius: 0.15 })
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 16, 0, 0],
    scales: {
      // Half a bucket of space at each side, for bars and labels.
      x: { range: (_plot, low, high) => around(times, low, high) },
      y: { range: (_plot, _low, high) => [0, (high || 1) * 1.1] },
    },
    axes: [
      {
        ...axis,
        size: 24,
        space: 60,
        ...(isDaily && {
          splits: (_plot, _axis, _low, _high, step) => labelledDays({ times, series }, step),
        }),
        values: (_plot, splits, _axis, _space, step) =>
          splits.map((at) => formatAxisTime(at, isDaily ? daySeconds : step)),
      },
      { ...axis, size: 56, values: (_plot, splits) => splits.map(formatLabel) },
    ],
    series: [
      {},
      ...series.map(({ label, color: name }) => ({
        label,
        stroke: color(name),
        width: 2,
        ...(isBars && {
          fill: color(name),
          width: 0,
          ...(bars !== undefined && { paths: bars }),
          points: { show: false },
        }),
      })),
    ],
  }
}

function around(times: PlotProps['times'], low: number, high: number): [number, number] {
  const half = bucketSeconds(times) / 2
  return [low - half, high + half]
}

const daySeconds = 86_400

function bucketSeconds([first, second]: PlotProps['times']): number {
  return first === undefined || second === undefined ? daySeconds : second - first
}

/** Returns the days with a label. The last bar has one, because it may be the only bar. */
function labelledDays({ times, series }: Pick<PlotProps, 'times' | 'series'>, stepSeconds: number): number[] {
  const every = Math.ceil(stepSeconds / daySeconds)
  const last = Math.max(...series.map(({ values }) => values.findLastIndex((value) => (value ?? 0) > 0)))
  return times.filter((_, index) => (index - last) % every === 0)
}

const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const hourFormat = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })

function formatAxisTime(seconds: number, stepSeconds: number): string {
  return (stepSeconds < daySeconds ? hourFormat : dayFormat).format(seconds * 1000)
}
