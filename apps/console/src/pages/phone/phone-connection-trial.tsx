import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { PhoneConnection } from '@parley/sdk'
import { IconPlugConnected } from '@tabler/icons-react'
import { useConsole } from '../../data/console-context'
import { formatMilliseconds } from '../../data/format-duration'
import { useChange } from '../../data/use-change'
import { ErrorNotice } from '../../parts/error-notice'

interface PhoneConnectionTrialProps {
  readonly connection: PhoneConnection
  /** The test uses the saved phone connection. */
  readonly isDirty: boolean
}

/** Asks the provider whether it accepts the account. The result says what to do next. */
export function PhoneConnectionTrial({ connection, isDirty }: PhoneConnectionTrialProps) {
  const { parley } = useConsole()
  const trial = useChange({
    change: async () => parley.phoneConnections.test(connection.id, { maxRetries: 0 }),
    changes: ['PhoneConnection'],
    isErrorShown: true,
  })
  const { data, error, isPending } = trial
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} />}
          loading={isPending}
          disabled={isDirty}
          onClick={() => trial.mutate(undefined)}
        >
          Test connection
        </Button>
        <Text size="xs" c="dimmed">
          {isDirty ? 'Save your changes to test them.' : 'No call is made.'}
        </Text>
      </Group>
      <div aria-live="polite">
        {error !== null && <ErrorNotice error={error} />}
        {data !== undefined && !isPending && (
          <Alert
            color={data.ok ? 'green' : 'red'}
            title={data.ok ? 'Phone connection works' : 'Phone connection failed'}
          >
            <Text size="sm">{data.detail}</Text>
            <Text size="xs" c="dimmed" mt="xs" data-figures>
              {formatMilliseconds(data.durationMilliseconds)}
            </Text>
          </Alert>
        )}
        {data === undefined && connection.failure !== null && (
          <Alert color="red" title="The last request failed">
            {connection.failure}
          </Alert>
        )}
      </div>
    </Stack>
  )
}
