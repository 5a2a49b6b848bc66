import { Alert, Text } from '@mantine/core'
import type { Webhook, WebhookAttempt, WebhookDelivery } from '@parley/sdk'
import { IconSend } from '@tabler/icons-react'
import { useConsole } from '../../data/console-context'
import { formatMilliseconds } from '../../data/format-duration'
import { JsonText } from '../../parts/json-text'
import { Trial } from '../../parts/trial'

/** Sends a real test event, and shows the receiver's response. */
export function WebhookTest({ webhook: { id } }: { readonly webhook: Webhook }) {
  const { parley } = useConsole()
  return (
    <Trial
      action="Send test event"
      icon={IconSend}
      note="Sent once, even if the webhook is disabled."
      changes={['Webhook']}
      run={() => parley.webhooks.test(id, { maxRetries: 0 })}
    >
      {(delivery) => delivery !== undefined && <TestResult delivery={delivery} />}
    </Trial>
  )
}

function TestResult({ delivery: { state, attempts } }: { readonly delivery: WebhookDelivery }) {
  const [attempt] = attempts
  const isTaken = state === 'delivered'
  return (
    <Alert color={isTaken ? 'green' : 'red'} title={isTaken ? 'Test event delivered' : 'Test event failed'}>
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
