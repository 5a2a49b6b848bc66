import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ErrorMessage, errorMessageOf } from '../data/error-message'

/** The error message, with the request id for the operator. */
export function ErrorText({ message, requestId }: ErrorMessage) {
  return (
    <>
      <Text size="sm">{message}</Text>
      {requestId !== null && (
        <Text size="xs" c="dimmed" ff="monospace">
          Request {requestId}
        </Text>
      )}
    </>
  )
}

interface ErrorNoticeProps {
  readonly error: unknown
  readonly onRetry?: () => void
  readonly retry?: string
}

export function ErrorNotice({ error, onRetry, retry = 'Try again' }: ErrorNoticeProps) {
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title="Something went wrong" role="alert">
      <Group justify="space-between" align="end">
        <div>
          <ErrorText {...errorMessageOf(error)} />
        </div>
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {retry}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
