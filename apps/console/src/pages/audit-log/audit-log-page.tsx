import { Badge, Button, Group, Menu, Text, TextInput } from '@mantine/core'
import type { AuditLogRecord } from '@parley/sdk'
import { IconClipboardList, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { dayRange } from '../../data/local-time'
import { useChange } from '../../data/use-change'
import { useFilter } from '../../data/use-filter'
import { useRows } from '../../data/use-rows'
import { Filters } from '../../parts/filters'
import { NoMatches } from '../../parts/no-matches'
import { PageFrame } from '../../parts/page-frame'
import { type Column, RowList } from '../../parts/row-list'
import { saveFile } from '../../parts/save-file'
import { Timestamp } from '../../parts/timestamp'
import { RecordDrawer } from './record-drawer'
import { Verification } from './verification'

export function AuditLogPage() {
  const { parley } = useConsole()
  const [filter, setFilter] = useFilter(['From', 'To', 'Action', 'ActorId', 'ResourceType'])
  const [shown, setShown] = useState<AuditLogRecord | null>(null)
  const query = { ...filter, ...dayRange(filter) }
  const rows = useRows<AuditLogRecord>({
    resource: 'AuditLog',
    filter,
    read: (range) => parley.auditLog.list({ ...query, ...range }),
  })
  return (
    <PageFrame
      title="Audit log"
      about="Every change and denied request, in a tamper-evident chain."
      actions={
        <>
          <Verification />
          <ExportMenu query={query} />
        </>
      }
      isFilling
    >
      <Filters>
        <TextInput
          label="From"
          type="date"
          value={filter.From ?? ''}
          onChange={({ currentTarget }) => setFilter({ From: currentTarget.value })}
        />
        <TextInput
          label="To"
          type="date"
          value={filter.To ?? ''}
          onChange={({ currentTarget }) => setFilter({ To: currentTarget.value })}
        />
        <TextInput
          label="Action"
          placeholder="agent.update"
          value={filter.Action ?? ''}
          onChange={({ currentTarget }) => setFilter({ Action: currentTarget.value })}
        />
        <TextInput
          label="Resource type"
          placeholder="agent"
          value={filter.ResourceType ?? ''}
          onChange={({ currentTarget }) => setFilter({ ResourceType: currentTarget.value })}
        />
        {filter.ActorId !== undefined && (
          <Button variant="light" onClick={() => setFilter({ ActorId: '' })}>
            Clear actor filter
          </Button>
        )}
      </Filters>
      <RowList
        label="Audit records"
        rows={rows}
        columns={columns}
        onOpen={setShown}
        empty={<NoMatches icon={IconClipboardList} what="record" />}
      />
      <RecordDrawer
        record={shown}
        onClose={() => setShown(null)}
        onActor={(ActorId) => {
          setFilter({ ActorId })
          setShown(null)
        }}
      />
    </PageFrame>
  )
}

function ExportMenu({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const { parley } = useConsole()
  const save = useChange({
    change: async (format: 'ndjson' | 'csv') => {
      const answer = await parley.auditLog.export({ ...query, Format: format })
      saveFile(`audit-log.${format}`, await answer.blob())
    },
    changes: [],
  })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />} loading={save.isPending}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save.mutate('csv')}>CSV</Menu.Item>
        <Menu.Item onClick={() => save.mutate('ndjson')}>JSON Lines</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const actorName = ({ name, type }: AuditLogRecord['actor']) => name ?? type.replace('_', ' ')

const columns: readonly Column<AuditLogRecord>[] = [
  { title: 'Time', width: '8.5rem', cell: ({ at }) => <Timestamp at={at} /> },
  {
    title: 'Actor',
    width: '1fr',
    isMinor: true,
    cell: ({ actor }) => actorName(actor),
  },
  {
    title: 'Action',
    width: '1.4fr',
    cell: ({ action, actor, details }) => (
      <>
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" ff="monospace" truncate>
            {action}
          </Text>
          {details.rehearsal === true && (
            <Badge size="xs" variant="light" color="gray" style={{ flex: 'none' }}>
              Rehearsal
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" truncate hiddenFrom="sm">
          {actorName(actor)}
        </Text>
      </>
    ),
  },
  {
    title: 'Resource',
    width: '1fr',
    isMinor: true,
    cell: ({ resourceType, details }) => String(details.name ?? details.title ?? resourceType ?? ''),
  },
  {
    title: 'IP address',
    width: '9rem',
    isMinor: true,
    isEmpty: ({ ipAddress }) => ipAddress === null,
    cell: ({ ipAddress }) => ipAddress ?? '',
  },
  {
    title: 'Outcome',
    width: '6.5rem',
    isMinor: true,
    cell: ({ outcome }) => (
      <Badge variant="light" color={outcome === 'success' ? 'green' : 'red'}>
        {outcome === 'success' ? 'Success' : 'Denied'}
      </Badge>
    ),
  },
]
