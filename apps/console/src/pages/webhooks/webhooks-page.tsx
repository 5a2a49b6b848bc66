import { Button, Group, Text } from '@mantine/core'
import type { CreatedWebhook, Webhook } from '@parley/sdk'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useFilter } from '../../data/use-filter'
import { useRows } from '../../data/use-rows'
import { EmptyState } from '../../parts/empty-state'
import { PageFrame } from '../../parts/page-frame'
import { type Column, RowList } from '../../parts/row-list'
import { SearchField } from '../../parts/search-field'
import { Timestamp } from '../../parts/timestamp'
import { NewSecret } from './new-secret'
import { WebhookDrawer } from './webhook-drawer'
import { WebhookState } from './webhook-state'

export function WebhooksPage() {
  const { parley, may } = useConsole()
  const navigate = useNavigate()
  const [filter, setFilter] = useFilter(['Search'])
  const [isOpen, setOpen] = useState(false)
  const [created, setCreated] = useState<CreatedWebhook | null>(null)
  const rows = useRows<Webhook>({
    resource: 'Webhook',
    filter,
    read: (range) => parley.webhooks.list({ ...filter, ...range }),
  })
  const add = may('webhook:write') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
      New webhook
    </Button>
  )
  const open = ({ id }: Webhook) =>
    void navigate({ to: '/organization/webhooks/$webhookId', params: { webhookId: id } })
  return (
    <PageFrame
      title="Webhooks"
      about="Send events to other systems, with automatic retries."
      actions={
        <>
          <SearchField
            label="Search webhooks"
            value={filter.Search ?? ''}
            onSearch={(Search) => setFilter({ Search })}
          />
          {add}
        </>
      }
      isFilling
    >
      {created !== null && <NewSecret created={created} onClose={() => setCreated(null)} />}
      <RowList
        label="Webhooks"
        rows={rows}
        columns={columns}
        onOpen={open}
        empty={
          filter.Search === undefined ? (
            <EmptyState icon={IconWebhook} title="No webhooks yet" action={add}>
              Add an endpoint to receive events about responses, approvals or tasks.
            </EmptyState>
          ) : (
            <EmptyState icon={IconWebhook} title={`No webhooks match “${filter.Search}”`}>
              Change or clear the search.
            </EmptyState>
          )
        }
      />
      {isOpen && <WebhookDrawer webhook={null} onClose={() => setOpen(false)} onCreated={setCreated} />}
    </PageFrame>
  )
}

const columns: readonly Column<Webhook>[] = [
  {
    title: 'Name',
    width: '1.5fr',
    cell: ({ name }) => (
      <Text size="sm" fw={600} truncate>
        {name}
      </Text>
    ),
  },
  {
    title: 'URL',
    width: '2fr',
    isMinor: true,
    cell: ({ url }) => <span title={url}>{url.replace(/^https:\/\//, '')}</span>,
  },
  { title: 'Events', width: '7rem', isMinor: true, cell: (webhook) => <EventCount {...webhook} /> },
  { title: 'Status', width: '2fr', cell: (webhook) => <StateCell webhook={webhook} /> },
  {
    title: 'Last delivery',
    width: '1.5fr',
    isMinor: true,
    cell: ({ lastDelivery }) =>
      lastDelivery === null ? (
        <Text span inherit c="dimmed">
          none yet
        </Text>
      ) : (
        <span title={lastDelivery.detail}>
          {lastDelivery.responseStatus ?? 'no response'}, <Timestamp at={lastDelivery.at} />
        </span>
      ),
  },
]

function EventCount({ events }: Webhook) {
  if (events.includes('*')) return <>All events</>
  return <span title={events.join('\n')}>{events.length === 1 ? '1 event' : `${events.length} events`}</span>
}

function StateCell({ webhook }: { readonly webhook: Webhook }) {
  const { disabledReason, failingSince, isEnabled } = webhook
  return (
    <Group gap="xs" wrap="nowrap">
      <WebhookState webhook={webhook} />
      <Text size="xs" c="dimmed" truncate title={disabledReason ?? undefined}>
        {disabledReason}
        {isEnabled && failingSince !== null && (
          <>
            since <Timestamp at={failingSince} />
          </>
        )}
      </Text>
    </Group>
  )
}
