import { Radio, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import type { Webhook } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { fieldErrorsOf } from '../../data/error-message'
import { toLocalInputValue } from '../../data/local-time'
import { useChange } from '../../data/use-change'
import { FormDrawer } from '../../parts/form-drawer'

interface RedeliverDrawerProps {
  readonly webhook: Webhook
  readonly onClose: () => void
}

interface RedeliverForm {
  readonly since: string
  readonly which: string
}

/** Redelivery after a receiver's outage. */
export function RedeliverDrawer({ webhook: { id, name, failingSince }, onClose }: RedeliverDrawerProps) {
  const { parley } = useConsole()
  const form = useForm<RedeliverForm>({
    initialValues: {
      since: toLocalInputValue(
        failingSince === null ? new Date(Date.now() - 86_400_000) : new Date(failingSince),
      ),
      which: 'failed',
    },
    validate: { since: (since) => (since === '' ? 'Required' : null) },
  })
  const redeliver = useChange({
    change: async ({ since, which }: RedeliverForm) =>
      parley.webhooks.redeliver(id, {
        since: new Date(since).toISOString(),
        state: which === 'failed' ? 'failed' : null,
      }),
    changes: ['Webhook'],
    isErrorShown: true,
    onDone: ({ count }) => {
      notifications.show({ color: count === 0 ? 'gray' : 'green', message: formatCount(count) })
      onClose()
    },
  })
  return (
    <FormDrawer
      title={`Resend events to ${name}`}
      action="Resend"
      isOpen
      onClose={onClose}
      onSubmit={form.onSubmit((values) => redeliver.mutate(values))}
      isBusy={redeliver.isPending}
      isDirty={form.isDirty()}
      error={redeliver.error}
    >
      <TextInput
        label="Since"
        type="datetime-local"
        required
        data-autofocus
        {...form.getInputProps('since')}
        error={form.errors.since ?? fieldErrorsOf(redeliver.error).since}
      />
      <Radio.Group label="Deliveries" {...form.getInputProps('which')}>
        <Stack gap="xs" mt="xs">
          <Radio value="failed" label="Failed deliveries" />
          <Radio
            value="all"
            label="All deliveries"
            description="Delivered events are sent again with the same webhook-id."
          />
        </Stack>
      </Radio.Group>
      <Text size="sm" c="dimmed">
        Events are sent in their original order. Finished deliveries are kept for 30 days.
      </Text>
    </FormDrawer>
  )
}

function formatCount(count: number): string {
  if (count === 0) return 'No deliveries to resend.'
  return count === 1 ? '1 delivery resent.' : `${count.toLocaleString()} deliveries resent.`
}
