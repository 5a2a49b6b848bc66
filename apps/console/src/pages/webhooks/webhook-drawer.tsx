import { Checkbox, MultiSelect, Radio, Stack, TextInput } from '@mantine/core'
import type { CreatedWebhook, Webhook } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { useAgentDirectory } from '../../data/use-directory'
import { useDraftForm } from '../../data/use-draft-form'
import { FormDrawer } from '../../parts/form-drawer'
import { EventFields } from './event-fields'
import { draftMistakes, draftOf, inputOf, newWebhook, type WebhookDraft } from './webhook-draft'

interface WebhookDrawerProps {
  /** Null for a new webhook. */
  readonly webhook: Webhook | null
  readonly onClose: () => void
  /** Called with the secret, which is returned only once. */
  readonly onCreated?: (created: CreatedWebhook) => void
}

export function WebhookDrawer({ webhook, onClose, onCreated }: WebhookDrawerProps) {
  const { parley } = useConsole()
  const { fields, drawer } = useDraftForm({
    start: webhook === null ? newWebhook : draftOf(webhook),
    mistakesIn: draftMistakes,
    save: async (draft) => {
      if (webhook === null) return parley.webhooks.create(inputOf(draft))
      await parley.webhooks.patch(webhook.id, inputOf(draft))
      return null
    },
    resource: 'Webhook',
    done: ({ name }) => `${name} is saved.`,
    onDone: (created) => {
      if (created !== null) onCreated?.(created)
      onClose()
    },
  })
  return (
    <FormDrawer
      {...drawer}
      title={webhook?.name ?? 'Add a webhook'}
      action={webhook === null ? 'Add webhook' : 'Save webhook'}
      onClose={onClose}
    >
      <WebhookFields {...fields} />
    </FormDrawer>
  )
}

interface WebhookFieldsProps {
  readonly draft: WebhookDraft
  readonly mistakes: Readonly<Record<string, string>>
  readonly onChange: (fields: Partial<WebhookDraft>) => void
}

function WebhookFields({ draft, mistakes, onChange }: WebhookFieldsProps) {
  const agents = useAgentDirectory()
  return (
    <Stack>
      <TextInput
        label="Name"
        description="What receives it: “booking system, production”."
        required
        data-autofocus
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        error={mistakes.name}
      />
      <TextInput
        label="Address"
        description="Events are posted there. Redirects are not followed."
        placeholder="https://booking.example.com/parley"
        required
        value={draft.url}
        onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
        error={mistakes.url}
      />
      <EventFields draft={draft} mistake={mistakes.events} onChange={onChange} />
      <MultiSelect
        label="Of these agents alone"
        description="Left empty: of all, and what belongs to no agent."
        placeholder={draft.agentIds.length === 0 ? 'All agents' : ''}
        searchable
        clearable
        data={(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={[...draft.agentIds]}
        onChange={(agentIds) => onChange({ agentIds })}
        error={Object.entries(mistakes).find(([path]) => path.startsWith('agentIds'))?.[1]}
      />
      <Radio.Group
        label="What is sent"
        value={draft.payload}
        onChange={(payload) => onChange({ payload: payload === 'ids' ? 'ids' : 'full' })}
        error={mistakes.payload}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="full" label="All of it" description="The resource as the API answers it." />
          <Radio
            value="ids"
            label="Ids alone"
            description="Where words must not leave: the receiver reads the rest by the API."
          />
        </Stack>
      </Radio.Group>
      <Checkbox
        label="Switched on"
        description="While it is off nothing new is kept for it."
        checked={draft.isEnabled}
        onChange={({ currentTarget }) => onChange({ isEnabled: currentTarget.checked })}
      />
    </Stack>
  )
}
