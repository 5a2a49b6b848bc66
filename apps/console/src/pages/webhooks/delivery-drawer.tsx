import { Button, Card, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import type { WebhookDelivery } from '@parley/sdk'
import { IconRepeat } from '@tabler/icons-react'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { Facts } from '../../parts/facts'
import { JsonText } from '../../parts/json-text'
import { Timestamp } from '../../parts/timestamp'
import { DeliveryState } from './delivery-state'
import { Attempt } from './webhook-test'

interface DeliveryDrawerProps {
  readonly delivery: WebhookDelivery | null
  readonly onClose: () => void
  readonly onChanged: (delivery: WebhookDelivery) => void
}

/** One delivery: payload and attempts. */
export function DeliveryDrawer({ delivery, onClose, onChanged }: DeliveryDrawerProps) {
  return (
    <Drawer
      opened={delivery !== null}
      onClose={onClose}
      title={delivery?.type ?? ''}
      position="right"
      size="lg"
    >
      {delivery !== null && (
        <Stack>
          <Facts
            facts={{
              Status: <DeliveryState state={delivery.state} />,
              Created: <Timestamp at={delivery.createdAt} />,
              Attempts: String(delivery.attemptCount),
              'Next attempt': delivery.nextAttemptAt && <Timestamp at={delivery.nextAttemptAt} />,
              Finished: delivery.endedAt && <Timestamp at={delivery.endedAt} />,
              'webhook-id': delivery.messageId,
            }}
          />
          <Redeliver delivery={delivery} onChanged={onChanged} />
          <Title order={2} fz="sm">
            Payload
          </Title>
          {delivery.body === null ? (
            <Text size="sm" c="dimmed">
              The payload was deleted with its conversation.
            </Text>
          ) : (
            <JsonText text={delivery.body} label="Payload" />
          )}
          <Title order={2} fz="sm">
            Attempts
          </Title>
          {delivery.attempts.length === 0 && (
            <Text size="sm" c="dimmed">
              None yet.
            </Text>
          )}
          {delivery.attempts.map((attempt) => (
            <Card key={attempt.at} withBorder bg="var(--parley-card)" p="sm">
              <Text size="xs" c="dimmed">
                <Timestamp at={attempt.at} />
              </Text>
              <Attempt attempt={attempt} />
            </Card>
          ))}
        </Stack>
      )}
    </Drawer>
  )
}

interface RedeliverProps {
  readonly delivery: WebhookDelivery
  readonly onChanged: (delivery: WebhookDelivery) => void
}

function Redeliver({ delivery: { id, webhookId, body, state }, onChanged }: RedeliverProps) {
  const { parley, may } = useConsole()
  const redeliver = useChange({
    change: async () => parley.webhooks.redeliverDelivery(webhookId, id),
    changes: ['Webhook'],
    done: 'Delivery resent.',
    onDone: onChanged,
  })
  if (!may('webhook:write') || body === null) return null
  return (
    <Group>
      <Button
        variant="default"
        leftSection={<IconRepeat size={16} />}
        loading={redeliver.isPending}
        onClick={() => redeliver.mutate(undefined)}
      >
        {state === 'pending' ? 'Retry now' : 'Resend'}
      </Button>
    </Group>
  )
}
