import { Button, Group, Stack } from '@mantine/core'
import type { Task } from '@parley/sdk'
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { Confirm } from '../../parts/confirm'
import { Facts } from '../../parts/facts'
import { TextLink } from '../../parts/text-link'
import { Timestamp } from '../../parts/timestamp'
import { StatusBadge } from './task-labels'

interface TaskRunProps {
  readonly task: Task
  /** Set during deletion, so that the task is not refetched. */
  readonly isGoing: boolean
}

/** The state of a task's run, with buttons to start and cancel it. */
export function TaskRun({ task: opened, isGoing }: TaskRunProps) {
  const { parley, may } = useConsole()
  const { id } = opened
  const { data: task } = useQuery({
    queryKey: ['Task', id],
    queryFn: async () => parley.tasks.get(id),
    initialData: opened,
    enabled: !isGoing,
  })
  const run = useChange({
    change: async () => parley.tasks.run(id),
    changes: ['Task'],
    done: 'Run started.',
  })
  const cancel = useChange({
    change: async () => parley.tasks.patch(id, { status: 'cancelled' }),
    changes: ['Task'],
    done: 'Run cancelled.',
  })
  const isRunning = task.runStartedAt !== null
  const mayRun = may('task:write') && task.agentId !== null && task.status !== 'cancelled'
  return (
    <Stack gap="xs">
      <Facts facts={factsOf(task)} />
      <Group gap="xs">
        {mayRun && !isRunning && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlayerPlay size={14} />}
            loading={run.isPending}
            onClick={() => run.mutate(undefined)}
          >
            Run
          </Button>
        )}
        {may('task:write') && isRunning && (
          <Confirm
            title="Cancel run?"
            action="Cancel run"
            onConfirm={() => cancel.mutateAsync(undefined)}
            trigger={(open) => (
              <Button
                size="xs"
                variant="default"
                color="red"
                leftSection={<IconPlayerStop size={14} />}
                onClick={open}
              >
                Cancel run
              </Button>
            )}
          >
            The agent stops immediately. Completed steps stay in the conversation.
          </Confirm>
        )}
      </Group>
    </Stack>
  )
}

function factsOf(task: Task) {
  const {
    conversationId,
    phoneCallId,
    attempts,
    maxAttempts,
    nextRunAt,
    runDeadlineAt,
    runStartedAt,
    missedRuns,
  } = task
  return {
    Status: <StatusBadge {...task} />,
    Run: task.statusDetail,
    Attempts: attempts > 0 && `${attempts} of ${maxAttempts}`,
    Started: runStartedAt && <Timestamp at={runStartedAt} />,
    'Next run': nextRunAt && <Timestamp at={nextRunAt} />,
    Deadline: runDeadlineAt && <Timestamp at={runDeadlineAt} />,
    'Missed runs': missedRuns > 0 && missedRuns,
    Conversation: conversationId && (
      <TextLink to="/conversations/$conversationId" params={{ conversationId }} size="sm">
        View conversation
      </TextLink>
    ),
    Call: phoneCallId && (
      <TextLink to="/calls/$phoneCallId" params={{ phoneCallId }} size="sm">
        View call
      </TextLink>
    ),
  }
}
