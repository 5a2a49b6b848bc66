import { Alert, Button, Group, Text } from '@mantine/core'
import type { Webhook, WebhookAttempt, WebhookDelivery } from '@parley/sdk'
import { IconSend } from '@tabler/icons-react'
import { useConsole } from '../../data/console-context'
import { formatMilliseconds } from '../../data/format-duration'
import { useChange } from '../../data/use-change'
import { ErrorNotice } from '../../parts/error-notice'
import { JsonText } from '../../parts/json-text'

/** Sends a real test event, and shows the receiver's response. */
export function WebhookTest({ webhook: { id } }: { readonly webhook: Webhook }) {
  const { parley } = useConsole()
  const test = useChange({
    change: async () => parley.webhooks.test(id, { maxRetries: 0 }),
    changes: ['Webhook'],
    isErrorShown: true,
  })
  return (
    <div>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconSend size={16} />}
          loading={test.isPending}
          onClick={() => test.mutate(undefined)}
        >
          Send test event
        </Button>
        <Text size="xs" c="dimmed">
          Sent once, even if the webhook is disabled.
        </Text>
      </Group>
      <div aria-live="polite">
        {test.error !== null && <ErrorNotice error={test.error} />}
        {test.data !== undefined && !test.isPending && <TestResult delivery={test.data} />}
      </div>
    </div>
  )
}

function TestResult({ delivery: { state, attempts } }: { readonly delivery: WebhookDelivery }) {
  const [attempt] = attempts
  const isTaken = state === 'delivered'
  return (
    <Alert
      mt="sm"
      color={isTaken ? 'green' : 'red'}
      title={isTaken ? 'Test event delivered' : 'Test event failed'}
    >
      {attempt !== undefined && <Attempt attempt={attempt} />}
    </Alert>
  )
}

/** The outcome of one attempt, with the receiver's response. */
export function Attempt({ attempt }: { readonly attempt: WebhookAttempt }) {
  const { detail, durationMilliseconds, responseBody, responseStatus } = attempt
  return (
    <>
      <Text size="sm">{detail}</Text>
      <Text size="xs" c="dimmed" data-figures>
        {responseStatus === null ? 'No response' : `Response ${responseStatus}`} after{' '}
        {formatMilliseconds(durationMilliseconds)}
      </Text>
      {responseBody !== null && responseBody !== '' && <JsonText text={responseBody} label="Response" />}
    </>
  )
}
