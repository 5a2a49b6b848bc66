import { VisuallyHidden } from '@mantine/core'
import type { RealtimeStatisticsBucket } from '@parley/sdk'

interface ChartTableProps {
  readonly caption: string
  readonly heads: readonly string[]
  readonly buckets: readonly RealtimeStatisticsBucket[]
  readonly cells: (bucket: RealtimeStatisticsBucket) => readonly string[]
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** What a chart shows, for whoever cannot see it. */
export function ChartTable({ caption, heads, buckets, cells }: ChartTableProps) {
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
              <th scope="row">{moment.format(new Date(bucket.from))}</th>
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
