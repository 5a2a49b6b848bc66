import { type Days, metricPeriods } from '../data/metric-period'
import { LabelSelect } from './label-select'

interface PeriodSelectProps {
  readonly days: Days
  readonly onDays: (days: Days) => void
}

/** The period of metrics. */
export function PeriodSelect({ days, onDays }: PeriodSelectProps) {
  return (
    <LabelSelect
      aria-label="Period"
      labels={metricPeriods}
      value={days}
      onChange={(next) => next !== null && onDays(next)}
      size="xs"
      w="10rem"
    />
  )
}
