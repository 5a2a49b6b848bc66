import { ActionIcon, Button, Group, SegmentedControl, Select, Text, TextInput, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconPlayerPause, IconPlayerPlay, IconSearch, IconTrash } from '@tabler/icons-react'
import { useState, useSyncExternalStore } from 'react'
import { EventList } from './event-list'
import type { EventLog } from './event-log'
import styles from './events-panel.module.css'
import { type EventFilter, filterEvents, typesOf } from './filter-events'
import type { LoggedEvent } from './logged-event'

const everything: EventFilter = { text: '', direction: 'all', type: null }

/** The newest 500 events of socket and stream. */
export function EventsPanel({ log }: { readonly log: EventLog }) {
  const live = useSyncExternalStore(log.subscribe, log.get)
  const [paused, setPaused] = useState<readonly LoggedEvent[] | null>(null)
  const [filter, setFilter] = useState(everything)
  const [selectedId, setSelectedId] = useState<number | null>(null)
  const all = paused ?? live
  const events = filterEvents(all, filter)
  const selected = all.find(({ id }) => id === selectedId)
  return (
    <div className={styles.panel}>
      <FilterFields filter={filter} onFilter={setFilter} types={typesOf(all)} />
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed" data-figures>
          {events.length !== all.length && `${events.length} of `}
          {all.length === 1 ? '1 event' : `${all.length} events`}
          {paused !== null && ', paused'}
        </Text>
        <Group gap={4} wrap="nowrap">
          <CopyText text={() => toJson(events)} label="Copy all" />
          <Tooltip label={paused === null ? 'Pause' : 'Resume'}>
            <ActionIcon
              variant={paused === null ? 'subtle' : 'light'}
              color={paused === null ? 'gray' : 'orange'}
              onClick={() => setPaused(paused === null ? live : null)}
              aria-label="Pause"
              aria-pressed={paused !== null}
            >
              {paused === null ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Clear">
            <ActionIcon variant="subtle" color="gray" onClick={() => log.clear()} aria-label="Clear">
              <IconTrash size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      {all.length === 0 ? (
        <Text size="sm" c="dimmed" p="sm">
          Events appear here when you talk or type.
        </Text>
      ) : (
        <EventList events={events} selectedId={selectedId} onSelect={setSelectedId} />
      )}
      {selected !== undefined && <EventDetail event={selected} />}
    </div>
  )
}

function FilterFields({
  filter,
  onFilter,
  types,
}: {
  readonly filter: EventFilter
  readonly onFilter: (filter: EventFilter) => void
  readonly types: string[]
}) {
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          size="xs"
          flex={1}
          placeholder="Search events"
          aria-label="Search events"
          leftSection={<IconSearch size={14} />}
          value={filter.text}
          onChange={({ currentTarget }) => onFilter({ ...filter, text: currentTarget.value })}
        />
        <SegmentedControl
          size="xs"
          aria-label="Direction"
          value={filter.direction}
          onChange={(direction) => onFilter({ ...filter, direction })}
          data={[
            { value: 'all', label: 'All' },
            { value: 'in', label: 'In' },
            { value: 'out', label: 'Out' },
          ]}
        />
      </Group>
      <Select
        size="xs"
        aria-label="Event type"
        placeholder="All types"
        data={types}
        value={filter.type}
        onChange={(type) => onFilter({ ...filter, type })}
        searchable
        clearable
      />
    </>
  )
}

function EventDetail({ event }: { readonly event: LoggedEvent }) {
  return (
    <section className={styles.detail} aria-label="Selected event">
      <Group justify="space-between" mb={4} wrap="nowrap">
        <Text size="xs" fw={600} truncate>
          {event.type}
        </Text>
        <CopyText text={() => toJson(event.event)} label="Copy" />
      </Group>
      <pre className={styles.json} tabIndex={0}>
        {toJson(event.event)}
      </pre>
    </section>
  )
}

const toJson = (value: object) => JSON.stringify(value, null, 2)

function CopyText({ text, label }: { readonly text: () => string; readonly label: string }) {
  const { copied, copy } = useClipboard({ timeout: 2000 })
  return (
    <Button size="compact-xs" variant="subtle" color={copied ? 'green' : 'gray'} onClick={() => copy(text())}>
      {copied ? 'Copied' : label}
    </Button>
  )
}
