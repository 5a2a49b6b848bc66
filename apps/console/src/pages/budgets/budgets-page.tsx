import { Alert, Badge, Button, List, Progress, Text } from '@mantine/core'
import type { Budget } from '@parley/sdk'
import { IconAlertTriangle, IconPlus, IconTargetArrow } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useKeyDirectory } from '../../data/use-directory'
import { type Rows, useRows } from '../../data/use-rows'
import { AgentName } from '../../parts/agent-select'
import { EmptyState } from '../../parts/empty-state'
import { PageFrame } from '../../parts/page-frame'
import { type Column, RowList } from '../../parts/row-list'
import { BudgetDrawer } from './budget-drawer'
import { describeExceeded, formatSpent, formatTime, stateLabels } from './budget-labels'

/** Budgets with their usage. */
export function BudgetsPage() {
  const { parley, may } = useConsole()
  const [edited, setEdited] = useState<Budget | 'new' | null>(null)
  const rows = useRows<Budget>({
    resource: 'Budget',
    // A new period starts without a change event, so the page polls.
    refetchSeconds: 600,
    read: (range) => parley.budgets.list(range),
  })
  const add = may('usage:write') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      New budget
    </Button>
  )
  return (
    <PageFrame
      title="Budgets"
      about="Daily or monthly limits for the organization, an agent or an API key."
      actions={add}
      isFilling
    >
      <Exceeded budgets={firstOf(rows).filter(({ state }) => state === 'exceeded')} />
      <RowList
        label="Budgets"
        rows={rows}
        columns={columns}
        onOpen={setEdited}
        empty={
          <EmptyState icon={IconTargetArrow} title="No budgets yet" action={add}>
            Without a budget, only your model providers limit usage.
          </EmptyState>
        }
      />
      {edited !== null && (
        <BudgetDrawer
          key={edited === 'new' ? 'new' : edited.id}
          budget={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </PageFrame>
  )
}

const maxShown = 20

function firstOf(rows: Rows<Budget>): readonly Budget[] {
  return Array.from({ length: Math.min(rows.totalCount ?? 0, maxShown) }, (_, index) =>
    rows.at(index),
  ).filter((budget) => budget !== undefined)
}

/** Exhausted budgets reject requests, so they are shown first. */
function Exceeded({ budgets }: { readonly budgets: readonly Budget[] }) {
  if (budgets.length === 0) return null
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle size={18} />}
      title={budgets.length === 1 ? 'Budget limit reached' : `${budgets.length} budget limits reached`}
      role="alert"
    >
      <List size="sm" listStyleType="none">
        {budgets.map((budget) => (
          <List.Item key={budget.id}>
            <strong>{budget.name}</strong>: {formatSpent(budget)}. {describeExceeded(budget)}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

const columns: readonly Column<Budget>[] = [
  {
    title: 'Name',
    width: '1.5fr',
    cell: ({ name }) => (
      <Text size="sm" fw={600} truncate>
        {name}
      </Text>
    ),
  },
  { title: 'Applies to', width: '1.2fr', isMinor: true, cell: (budget) => <BudgetScope budget={budget} /> },
  { title: 'Used', width: '2fr', cell: (budget) => <Spent budget={budget} /> },
  {
    title: 'Status',
    width: '7.5rem',
    isMinor: true,
    cell: ({ state }) => (
      <Badge variant="light" color={stateLabels[state].color} fw={500}>
        {stateLabels[state].label}
      </Badge>
    ),
  },
  {
    title: 'Resets',
    width: '11rem',
    isMinor: true,
    cell: ({ resetsAt }) => <time dateTime={resetsAt}>{formatTime(resetsAt)}</time>,
  },
]

function BudgetScope({ budget: { agentId, apiKeyId } }: { readonly budget: Budget }) {
  const keys = useKeyDirectory()
  if (agentId !== null) return <AgentName agentId={agentId} />
  if (apiKeyId === null) return <>Organization</>
  return <>{keys.data?.find(({ id }) => id === apiKeyId)?.name ?? `API key ${apiKeyId.slice(0, 8)}`}</>
}

function Spent({ budget }: { readonly budget: Budget }) {
  const { spent, limit, state, period } = budget
  const unpriced =
    limit.amount !== undefined && spent.unpricedTokens > 0
      ? `${spent.unpricedTokens.toLocaleString()} tokens have no price and do not count.`
      : undefined
  return (
    <div title={unpriced}>
      <Text size="xs" data-figures truncate>
        {unpriced !== undefined && 'at least '}
        {formatSpent(budget)} per {period}
      </Text>
      <Progress
        value={Math.min(100, spent.percent)}
        color={stateLabels[state].color}
        size="sm"
        aria-label={`${Math.round(spent.percent)}% of ${budget.name} used`}
      />
    </div>
  )
}
