import { formatDuration } from '../../data/format-duration'
import { CostText } from '../../parts/cost-text'
import { EndUserLink } from '../../parts/end-user-link'
import type { Column } from '../../parts/row-list'
import {
  anonymous,
  groupTitles,
  tokensRead,
  tokensSaid,
  type UsageGroup,
  type UsageRow,
} from './usage-groups'

const figure = (value: number) => <span data-figures>{value.toLocaleString()}</span>

export function usageColumns(by: UsageGroup): readonly Column<UsageRow>[] {
  return [
    {
      title: groupTitles[by],
      width: '2fr',
      cell: ({ id, name }) =>
        by === 'endUser' && id !== anonymous ? (
          <EndUserLink of={{ endUserId: id, externalUserId: null }} />
        ) : (
          <span title={name}>{name}</span>
        ),
    },
    { title: 'Cost', width: '9rem', cell: ({ cost }) => <CostText cost={cost} /> },
    { title: 'Input tokens', width: '7rem', cell: ({ tokens }) => figure(tokensRead(tokens)) },
    {
      title: 'Output tokens',
      width: '7rem',
      isMinor: true,
      cell: ({ tokens }) => figure(tokensSaid(tokens)),
    },
    { title: 'Sessions', width: '5rem', isMinor: true, cell: ({ sessions }) => figure(sessions) },
    { title: 'Questions', width: '5.5rem', isMinor: true, cell: ({ turns }) => figure(turns) },
    { title: 'Tool calls', width: '5.5rem', isMinor: true, cell: ({ toolCalls }) => figure(toolCalls) },
    {
      title: 'Model time',
      width: '7rem',
      isMinor: true,
      cell: ({ seconds }) => <span data-figures>{formatDuration(seconds)}</span>,
    },
  ]
}
