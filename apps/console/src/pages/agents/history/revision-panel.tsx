import { Button, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../../data/console-context'
import { useChange } from '../../../data/use-change'
import { Confirm } from '../../../parts/confirm'
import { ErrorNotice } from '../../../parts/error-notice'
import { type AgentVersion, draftOf } from '../agent-draft'
import { Differences } from './differences'
import { useRevision } from './use-revisions'

interface RevisionPanelProps {
  readonly base: AgentVersion
  readonly number: number
  /** The previous revision's number, or null if it is no longer stored. */
  readonly previous: number | null
  readonly isNow: boolean
  readonly isDirty: boolean
  readonly isReadOnly: boolean
}

/** Shows the changes of one revision, the changes since then, and a restore button. */
export function RevisionPanel(props: RevisionPanelProps) {
  const { base, number, previous, isNow, isDirty, isReadOnly } = props
  const [view, setView] = useState(isNow && previous !== null ? 'then' : 'now')
  const revision = useRevision(base.agent.id, number)
  const before = useRevision(base.agent.id, previous)
  const error = revision.error ?? before.error
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void revision.refetch()} />
  if (revision.data === undefined || (view === 'then' && before.data === undefined))
    return <Skeleton h={120} aria-hidden />
  const then = draftOf(revision.data.agent)
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        {previous !== null && !isNow && (
          <SegmentedControl
            size="xs"
            aria-label="Compare"
            data={[
              { value: 'now', label: 'Compare with current' },
              { value: 'then', label: 'Changes in this revision' },
            ]}
            value={view}
            onChange={setView}
          />
        )}
        {!isNow && !isReadOnly && <GoBack base={base} number={number} isDirty={isDirty} />}
      </Group>
      {view === 'then' && before.data !== undefined ? (
        <Differences
          before={draftOf(before.data.agent)}
          after={then}
          none="Only tool header values changed. They are never shown."
        />
      ) : (
        <Differences
          before={then}
          after={draftOf(base.agent)}
          none="No differences from the current version."
        />
      )}
    </Stack>
  )
}

interface GoBackProps {
  readonly base: AgentVersion
  readonly number: number
  readonly isDirty: boolean
}

function GoBack({ base: { agent, etag }, number, isDirty }: GoBackProps) {
  const { parley } = useConsole()
  const restore = useChange({
    change: async () => parley.agentRevisions.restore(agent.id, number, { ifMatch: etag ?? undefined }),
    changes: ['Agent'],
    done: `${agent.name} restored to #${number}.`,
  })
  if (isDirty)
    return (
      <Text size="xs" c="dimmed">
        Save or discard your changes before you restore a revision.
      </Text>
    )
  return (
    <Confirm
      title={`Restore #${number}?`}
      action="Restore"
      onConfirm={() => restore.mutateAsync(undefined)}
      trigger={(open) => (
        <Button size="xs" variant="default" leftSection={<IconArrowBackUp size={14} />} onClick={open}>
          Restore
        </Button>
      )}
    >
      The agent returns to this revision, including the header values of its tools. The current version stays
      in the history.
    </Confirm>
  )
}
