import { VisuallyHidden } from '@mantine/core'

/** One bar or point of a chart. */
interface Bucket {
  readonly from: string
}

interface ChartTableProps<Shown extends Bucket> {
  readonly caption: string
  readonly heads: readonly string[]
  readonly buckets: readonly Shown[]
  readonly cells: (bucket: Shown) => readonly string[]
  /** Formats the start. */
  readonly formatLabel?: (from: string) => string
}

const timeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const formatTime = (from: string) => timeFormat.format(new Date(from))

/** The data of a chart as a table, for screen readers. */
export function ChartTable<Shown extends Bucket>({
  caption,
  heads,
  buckets,
  cells,
  formatLabel = formatTime,
}: ChartTableProps<Shown>) {
  return (
    <VisuallyHidden>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {['From', ...heads].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket) => (
            <tr key={bucket.from}>
              <th scope="row">{formatLabel(bucket.from)}</th>
              {cells(bucket).map((cell, column) => (
                <td key={heads[column]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}
