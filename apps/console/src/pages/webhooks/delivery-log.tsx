import { Button, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import type { Webhook, WebhookDelivery } from '@parley/sdk'
import { IconRepeat, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { dayRange } from '../../data/local-time'
import { useFilter } from '../../data/use-filter'
import { type Rows, useRows } from '../../data/use-rows'
import { EmptyState } from '../../parts/empty-state'
import { Filters } from '../../parts/filters'
import { type Column, RowList } from '../../parts/row-list'
import { Timestamp } from '../../parts/timestamp'
import { DeliveryDrawer } from './delivery-drawer'
import { DeliveryState, deliveryStateOf, deliveryStates } from './delivery-state'
import { eventTypes } from './event-labels'
import { RedeliverDrawer } from './redeliver-drawer'

export function DeliveryLog({ webhook }: { readonly webhook: Webhook }) {
  const { parley, may } = useConsole()
  const [filter, setFilter] = useFilter(['State', 'Type', 'From', 'To'])
  const [opened, setOpened] = useState<WebhookDelivery | null>(null)
  const [isRedelivering, setRedelivering] = useState(false)
  const query = {
    State: deliveryStateOf(filter.State),
    Type: eventTypes.find((type) => type === filter.Type),
    ...dayRange(filter),
  }
  const rows = useRows<WebhookDelivery>({
    resource: 'Webhook',
    of: webhook.id,
    filter: query,
    read: (range) => parley.webhooks.listDeliveries(webhook.id, { ...query, ...range }),
  })
  return (
    <Stack gap="xs" component="section" aria-labelledby="deliveries">
      <Group justify="space-between">
        <Title order={2} fz="md" id="deliveries">
          Deliveries
        </Title>
        {may('webhook:write') && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRepeat size={14} />}
            onClick={() => setRedelivering(true)}
          >
            Resend events…
          </Button>
        )}
      </Group>
      <DeliveryFilters filter={filter} onFilter={setFilter} />
      <RowList
        isInPage
        label="Deliveries"
        rows={rows}
        columns={columns}
        onOpen={setOpened}
        empty={<NoDelivery isNarrowed={Object.keys(filter).length > 0} />}
      />
      <DeliveryDrawer
        delivery={latestOf(rows, opened)}
        onClose={() => setOpened(null)}
        onChanged={setOpened}
      />
      {isRedelivering && <RedeliverDrawer webhook={webhook} onClose={() => setRedelivering(false)} />}
    </Stack>
  )
}

/** How many rows are searched for the open delivery. */
const searchedAtMost = 300

/** Returns the current state of the opened delivery, because attempts continue while it is open. */
function latestOf(rows: Rows<WebhookDelivery>, opened: WebhookDelivery | null): WebhookDelivery | null {
  for (let index = 0; opened !== null && index < Math.min(rows.totalCount ?? 0, searchedAtMost); index += 1) {
    const row = rows.at(index)
    if (row?.id === opened.id && row.updatedAt >= opened.updatedAt) return row
  }
  return opened
}

type Filter = Readonly<Partial<Record<'State' | 'Type' | 'From' | 'To', string>>>

interface DeliveryFiltersProps {
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
}

function DeliveryFilters({ filter, onFilter }: DeliveryFiltersProps) {
  return (
    <Filters>
      <Select
        label="Status"
        placeholder="Any status"
        clearable
        data={Object.entries(deliveryStates).map(([value, { label }]) => ({ value, label: label }))}
        value={filter.State ?? null}
        onChange={(State) => onFilter({ State: State ?? '' })}
      />
      <Select
        label="Event"
        placeholder="Any event"
        clearable
        searchable
        data={eventTypes}
        value={filter.Type ?? null}
        onChange={(Type) => onFilter({ Type: Type ?? '' })}
      />
      <TextInput
        label="From"
        type="date"
        value={filter.From ?? ''}
        onChange={({ currentTarget }) => onFilter({ From: currentTarget.value })}
      />
      <TextInput
        label="To"
        type="date"
        value={filter.To ?? ''}
        onChange={({ currentTarget }) => onFilter({ To: currentTarget.value })}
      />
    </Filters>
  )
}

function NoDelivery({ isNarrowed }: { readonly isNarrowed: boolean }) {
  if (isNarrowed)
    return (
      <EmptyState icon={IconSend} title="No matching deliveries">
        Change or clear the filters.
      </EmptyState>
    )
  return (
    <EmptyState icon={IconSend} title="No deliveries yet">
      New events appear here. Send a test event to check the endpoint.
    </EmptyState>
  )
}

const columns: readonly Column<WebhookDelivery>[] = [
  {
    title: 'Event',
    width: '2fr',
    cell: ({ type }) => (
      <Text size="sm" ff="monospace" truncate>
        {type}
      </Text>
    ),
  },
  { title: 'Status', width: '7rem', cell: ({ state }) => <DeliveryState state={state} /> },
  {
    title: 'Response',
    width: '2fr',
    isMinor: true,
    cell: ({ attempts }) => attempts[0]?.detail ?? 'No response yet',
  },
  {
    title: 'Attempts',
    width: '5rem',
    isMinor: true,
    cell: ({ attemptCount }) => <span data-figures>{String(attemptCount)}</span>,
  },
  {
    title: 'Next attempt',
    width: '7.5rem',
    isMinor: true,
    cell: ({ nextAttemptAt }) => <Timestamp at={nextAttemptAt} never="—" />,
  },
  {
    title: 'Created',
    width: '7.5rem',
    isMinor: true,
    cell: ({ createdAt }) => <Timestamp at={createdAt} />,
  },
]
