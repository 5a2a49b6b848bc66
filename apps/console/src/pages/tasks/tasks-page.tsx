import { Button, Select, Text } from '@mantine/core'
import type { Task } from '@parley/sdk'
import { IconChecklist, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useFilter } from '../../data/use-filter'
import { useRows } from '../../data/use-rows'
import { AgentName, AgentSelect } from '../../parts/agent-select'
import { EmptyState } from '../../parts/empty-state'
import { Filters } from '../../parts/filters'
import { NoMatches } from '../../parts/no-matches'
import { PageFrame } from '../../parts/page-frame'
import { type Column, RowList } from '../../parts/row-list'
import { SearchField } from '../../parts/search-field'
import { Timestamp } from '../../parts/timestamp'
import { TaskDrawer } from './task-drawer'
import { priorityLabels, StatusBadge, statusLabels } from './task-labels'

export function TasksPage() {
  const { parley, may } = useConsole()
  const [filter, setFilter] = useFilter(['Search', 'Status', 'AgentId'])
  const [edited, setEdited] = useState<Task | 'new' | null>(null)
  const rows = useRows<Task>({
    resource: 'Task',
    filter,
    read: (range) => parley.tasks.list({ ...filter, ...range } as Parameters<typeof parley.tasks.list>[0]),
  })
  const add = may('task:write') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      New task
    </Button>
  )
  return (
    <PageFrame
      title="Tasks"
      about="Work for people and agents. Other systems create and update tasks over the API."
      actions={add}
      isFilling
    >
      <Filters>
        <SearchField
          label="Search tasks"
          value={filter.Search ?? ''}
          onSearch={(Search) => setFilter({ Search })}
        />
        <Select
          aria-label="Status"
          placeholder="Any status"
          clearable
          data={Object.entries(statusLabels).map(([value, { label }]) => ({ value, label }))}
          value={filter.Status ?? null}
          onChange={(Status) => setFilter({ Status: Status ?? '' })}
        />
        <AgentSelect
          value={filter.AgentId ?? null}
          onChange={(AgentId) => setFilter({ AgentId: AgentId ?? '' })}
        />
      </Filters>
      <RowList
        label="Tasks"
        rows={rows}
        columns={columns}
        onOpen={setEdited}
        empty={
          Object.keys(filter).length > 0 ? (
            <NoMatches icon={IconChecklist} what="task" />
          ) : (
            <EmptyState icon={IconChecklist} title="No tasks yet" action={add}>
              Create one here, let an agent create one, or send one over the API:{' '}
              <code>PUT /api/v1/Task/external/&#123;id&#125;</code>
            </EmptyState>
          )
        }
      />
      {edited !== null && (
        <TaskDrawer
          key={edited === 'new' ? 'new' : edited.id}
          task={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </PageFrame>
  )
}

const columns: readonly Column<Task>[] = [
  { title: 'Title', width: '3fr', isMain: true, cell: ({ title }) => title },
  { title: 'Status', width: '8rem', cell: (task) => <StatusBadge {...task} /> },
  {
    title: 'Priority',
    width: '6rem',
    isMinor: true,
    isEmpty: ({ priority }) => priority === 'normal',
    cell: ({ priority }) => priorityLabels[priority],
  },
  {
    title: 'Agent',
    width: '8rem',
    isMinor: true,
    isEmpty: ({ agentId }) => agentId === null,
    cell: ({ agentId }) => <AgentName agentId={agentId} />,
  },
  {
    title: 'Next run',
    width: '8rem',
    isMinor: true,
    isEmpty: ({ nextRunAt }) => nextRunAt === null,
    cell: ({ nextRunAt }) => <Timestamp at={nextRunAt} never="—" />,
  },
  {
    title: 'Due',
    width: '8rem',
    isMinor: true,
    isEmpty: ({ dueAt }) => dueAt === null,
    cell: ({ dueAt }) => <Timestamp at={dueAt} never="—" />,
  },
  {
    title: 'External ID',
    width: '8rem',
    isMinor: true,
    isEmpty: ({ externalId }) => externalId === null,
    cell: ({ externalId }) => (
      <Text size="xs" ff="monospace" truncate>
        {externalId ?? '—'}
      </Text>
    ),
  },
  { title: 'Updated', width: '8rem', isMinor: true, cell: ({ updatedAt }) => <Timestamp at={updatedAt} /> },
]
