import { Accordion, Badge, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { AgentRevisionSummary } from '@parley/sdk'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { EmptyState } from '../../../parts/empty-state'
import { ErrorNotice } from '../../../parts/error-notice'
import { Timestamp } from '../../../parts/timestamp'
import type { AgentVersion } from '../agent-draft'
import { fieldLabel } from './field-label'
import { RevisionPanel } from './revision-panel'
import { actorLabel, useRevisions } from './use-revisions'

interface HistoryTabProps {
  readonly base: AgentVersion
  readonly isDirty: boolean
  readonly isReadOnly: boolean
}

/** The agent's revisions, with restore. */
export function HistoryTab({ base, isDirty, isReadOnly }: HistoryTabProps) {
  const revisions = useRevisions(base.agent.id)
  const [opened, setOpened] = useState<string | null>(null)
  if (revisions.error !== null && revisions.data === undefined)
    return <ErrorNotice error={revisions.error} onRetry={() => void revisions.refetch()} />
  if (revisions.data === undefined) return <Waiting />
  const { items } = revisions.data
  if (items.length === 0)
    return (
      <EmptyState icon={IconHistory} title="No revisions yet">
        Every saved change appears here.
      </EmptyState>
    )
  return (
    <Accordion
      variant="contained"
      value={opened}
      onChange={setOpened}
      maw="62rem"
      bg="var(--parley-card)"
      aria-label="Revisions"
      order={2}
      styles={{ item: { backgroundColor: 'var(--parley-card)' } }}
    >
      {items.map((revision, index) => (
        <Accordion.Item key={revision.number} value={String(revision.number)}>
          <Accordion.Control>
            <RevisionLine revision={revision} isNow={index === 0} />
          </Accordion.Control>
          <Accordion.Panel>
            {opened === String(revision.number) && (
              <RevisionPanel
                base={base}
                number={revision.number}
                previous={items[index + 1]?.number ?? null}
                isNow={index === 0}
                isDirty={isDirty}
                isReadOnly={isReadOnly}
              />
            )}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

interface RevisionLineProps {
  readonly revision: AgentRevisionSummary
  readonly isNow: boolean
}

function RevisionLine({ revision, isNow }: RevisionLineProps) {
  const { number, at, actor } = revision
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="sm" c="dimmed" w="2.5rem" data-figures style={{ flexShrink: 0 }}>
        #{number}
      </Text>
      <div style={{ minWidth: 0, flex: 1 }}>
        <Text size="sm" fw={500} truncate>
          {describeChange(revision)}
        </Text>
        <Text size="xs" c="dimmed" component="div" truncate>
          {actorLabel(actor)}, <Timestamp at={at} />
        </Text>
      </div>
      {isNow && (
        <Badge variant="light" style={{ flexShrink: 0 }}>
          Current
        </Badge>
      )}
    </Group>
  )
}

function describeChange({ changed, restoredFrom, number, actor }: AgentRevisionSummary): string {
  if (restoredFrom !== null) return `Restored #${restoredFrom}`
  if (changed.length > 0) return `Changed: ${changed.map(fieldLabel).join(', ')}`
  return number === 1 && actor !== null ? 'Created' : 'Initial state'
}

function Waiting() {
  return (
    <Stack gap={1} maw="62rem" aria-hidden>
      {[1, 2, 3, 4, 5].map((number) => (
        <Skeleton key={number} h={66} />
      ))}
    </Stack>
  )
}
