import { Alert, Text } from '@mantine/core'
import type { PhoneConnection } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { formatMilliseconds } from '../../data/format-duration'
import { Trial } from '../../parts/trial'

interface PhoneConnectionTrialProps {
  readonly connection: PhoneConnection
  /** The test uses the saved phone connection. */
  readonly isDirty: boolean
}

/** Asks the provider whether it accepts the account. The result says what to do next. */
export function PhoneConnectionTrial({ connection, isDirty }: PhoneConnectionTrialProps) {
  const { parley } = useConsole()
  const { id, failure } = connection
  return (
    <Trial
      action="Test connection"
      note="No call is made."
      isDirty={isDirty}
      changes={['PhoneConnection']}
      run={() => parley.phoneConnections.test(id, { maxRetries: 0 })}
    >
      {(test) => {
        if (test === undefined)
          return (
            failure !== null && (
              <Alert color="red" title="The last request failed">
                {failure}
              </Alert>
            )
          )
        return (
          <Alert
            color={test.ok ? 'green' : 'red'}
            title={test.ok ? 'Phone connection works' : 'Phone connection failed'}
          >
            <Text size="sm">{test.detail}</Text>
            <Text size="xs" c="dimmed" mt="xs" data-figures>
              {formatMilliseconds(test.durationMilliseconds)}
            </Text>
          </Alert>
        )
      }}
    </Trial>
  )
}
