import { Checkbox, MultiSelect, Radio, Stack, TextInput } from '@mantine/core'
import type { CreatedWebhook, Webhook } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { type DraftFields, textFieldOf } from '../../data/text-field-of'
import { useAgentDirectory } from '../../data/use-directory'
import { useDraftForm } from '../../data/use-draft-form'
import { FormDrawer } from '../../parts/form-drawer'
import { EventFields } from './event-fields'
import { draftOf, inputOf, newWebhook, validateDraft, type WebhookDraft } from './webhook-draft'

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
    errorsIn: validateDraft,
    save: async (draft) => {
      if (webhook === null) return parley.webhooks.create(inputOf(draft))
      await parley.webhooks.patch(webhook.id, inputOf(draft))
      return null
    },
    resource: 'Webhook',
    done: ({ name }) => `${name} saved.`,
    onDone: (created) => {
      if (created !== null) onCreated?.(created)
      onClose()
    },
  })
  return (
    <FormDrawer
      {...drawer}
      title={webhook?.name ?? 'New webhook'}
      action={webhook === null ? 'Create webhook' : 'Save changes'}
      onClose={onClose}
    >
      <WebhookFields {...fields} />
    </FormDrawer>
  )
}

function WebhookFields(props: DraftFields<WebhookDraft>) {
  const { draft, errors, onChange } = props
  const text = textFieldOf(props)
  const agents = useAgentDirectory()
  return (
    <Stack>
      <TextInput
        label="Name"
        description="For example, “booking system, production”."
        required
        data-autofocus
        {...text('name')}
      />
      <TextInput
        label="URL"
        description="Events are sent here with POST. Redirects are not followed."
        placeholder="https://booking.example.com/parley"
        required
        {...text('url')}
      />
      <EventFields draft={draft} error={errors.events} onChange={onChange} />
      <MultiSelect
        label="Agents"
        description="Leave empty for all agents and for events without an agent."
        placeholder={draft.agentIds.length === 0 ? 'All agents' : ''}
        searchable
        clearable
        data={(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={[...draft.agentIds]}
        onChange={(agentIds) => onChange({ agentIds })}
        error={Object.entries(errors).find(([path]) => path.startsWith('agentIds'))?.[1]}
      />
      <Radio.Group
        label="Payload"
        value={draft.payload}
        onChange={(payload) => onChange({ payload: payload === 'ids' ? 'ids' : 'full' })}
        error={errors.payload}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="full" label="Full resource" description="The resource as returned by the API." />
          <Radio
            value="ids"
            label="IDs only"
            description="For sensitive content. The receiver reads the rest over the API."
          />
        </Stack>
      </Radio.Group>
      <Checkbox
        label="Enabled"
        description="A disabled webhook records no events."
        checked={draft.isEnabled}
        onChange={({ currentTarget }) => onChange({ isEnabled: currentTarget.checked })}
      />
    </Stack>
  )
}
