import { Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { CreatedApiKey, Scope } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { fieldErrorsOf } from '../../data/error-words'
import { useChange } from '../../data/use-change'
import { FormDrawer } from '../../parts/form-drawer'
import { scopeWords } from './scope-words'

interface NewKeyDrawerProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onCreated: (created: CreatedApiKey) => void
}

const lifetimes = [
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
  { value: '', label: 'Never' },
]

interface KeyForm {
  readonly name: string
  readonly scopes: string[]
  readonly days: string
}

export function NewKeyDrawer({ isOpen, onClose, onCreated }: NewKeyDrawerProps) {
  const { parley, membership } = useConsole()
  const form = useForm<KeyForm>({
    initialValues: { name: '', scopes: ['agent:read', 'question:ask', 'realtime:create'], days: '90' },
  })
  const close = () => {
    form.reset()
    create.reset()
    onClose()
  }
  const create = useChange({
    change: async ({ name, scopes, days }: KeyForm) =>
      parley.apiKeys.create({ name, scopes: scopes as Scope[], expiresAt: expiryOf(days) }),
    changes: ['ApiKey'],
    isErrorShown: true,
    onDone: (created) => {
      onCreated(created)
      close()
    },
  })
  const errors = fieldErrorsOf(create.error)
  return (
    <FormDrawer
      title="Make a key"
      action="Make key"
      isOpen={isOpen}
      onClose={close}
      onSubmit={form.onSubmit((values) => create.mutate(values))}
      isBusy={create.isPending}
      isDirty={form.isDirty()}
      error={create.error}
    >
      <TextInput
        label="Name"
        description="What uses it, and where: “web shop, production”."
        required
        data-autofocus
        {...form.getInputProps('name')}
        error={errors.name}
      />
      <Checkbox.Group
        label="It may"
        description="Write includes read."
        {...form.getInputProps('scopes')}
        error={errors.scopes}
      >
        <Stack gap={8} mt="xs">
          {membership.scopes.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={
                <Group gap={6}>
                  <Text size="sm">{scopeWords[scope]}</Text>
                  <Text size="xs" c="dimmed" ff="monospace">
                    {scope}
                  </Text>
                </Group>
              }
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label="Expires"
        data={lifetimes}
        allowDeselect={false}
        {...form.getInputProps('days')}
        error={errors.expiresAt}
      />
    </FormDrawer>
  )
}

function expiryOf(days: string): string | null {
  return days === '' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString()
}
