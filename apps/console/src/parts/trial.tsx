import { Button, Group, Stack, Text } from '@mantine/core'
import { type Icon, IconPlugConnected } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useChange } from '../data/use-change'
import { ErrorNotice } from './error-notice'

interface TrialProps<Result> {
  /** The label of the button. */
  readonly action: string
  readonly icon?: Icon
  /** What the trial does. */
  readonly note?: string
  /** The trial uses the saved resource. */
  readonly isDirty?: boolean
  /** The resources whose queries are refetched. */
  readonly changes: readonly string[]
  readonly run: () => PromiseLike<Result>
  /** Called with undefined if there is no result. */
  readonly children: (result: Result | undefined) => ReactNode
}

/** Tries out a saved resource, and shows the result below the button. */
export function Trial<Result>(props: TrialProps<Result>) {
  const { action, icon: Sign = IconPlugConnected, isDirty = false, changes, run, children } = props
  const note = isDirty ? 'Save your changes to test them.' : props.note
  const trial = useChange({ change: async () => run(), changes, isErrorShown: true })
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<Sign size={16} />}
          loading={trial.isPending}
          disabled={isDirty}
          onClick={() => trial.mutate(undefined)}
        >
          {action}
        </Button>
        {note !== undefined && (
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </Group>
      <div aria-live="polite">
        {trial.error !== null && <ErrorNotice error={trial.error} />}
        {children(trial.isPending ? undefined : trial.data)}
      </div>
    </Stack>
  )
}
