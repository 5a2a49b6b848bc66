import { Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import type { CreatedApiKey, Membership, Scope } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { FormDrawer } from '../../parts/form-drawer'
import { scopeLabels } from './scope-labels'
import { type ShownOnce, useShownOnce } from './use-shown-once'

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Never' },
]

type KeyForm = {
  readonly name: string
  readonly scopes: string[]
  readonly days: string
}

type NewKeys = ShownOnce<KeyForm, CreatedApiKey>

export function useNewKey(): NewKeys {
  const { parley } = useConsole()
  return useShownOnce({
    initialValues: { name: '', scopes: ['agent:read', 'question:ask', 'realtime:create'], days: '90' },
    create: async ({ name, scopes, days }: KeyForm) =>
      parley.apiKeys.create({ name, scopes: scopes as Scope[], expiresAt: expiryOf(days) }),
    resource: 'ApiKey',
  })
}

export function NewKeyDrawer({ newKey: { form, errors, drawer } }: { readonly newKey: NewKeys }) {
  const { membership } = useConsole()
  return (
    <FormDrawer title="New API key" action="Create API key" {...drawer}>
      <TextInput
        label="Name"
        description="For example, “web shop, production”."
        required
        data-autofocus
        {...form.getInputProps('name')}
        error={errors.name}
      />
      <Checkbox.Group
        label="Scopes"
        description="Write scopes include read access."
        {...form.getInputProps('scopes')}
        error={errors.scopes}
      >
        <Stack gap={8} mt="xs">
          {offeredScopes(membership).map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={
                <Group gap={6}>
                  <Text size="sm">{scopeLabels[scope]}</Text>
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
        label="Expiration"
        data={lifetimes}
        allowDeselect={false}
        {...form.getInputProps('days')}
        error={errors.expiresAt}
      />
    </FormDrawer>
  )
}

/** Only an owner may grant a model the right to approve its own calls. */
function offeredScopes({ role, scopes }: Membership): readonly Scope[] {
  return role === 'owner' ? [...scopes, 'approval:delegate'] : scopes
}

function expiryOf(days: string): string | null {
  return days === '' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString()
}
