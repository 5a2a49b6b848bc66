import { PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useConsole } from '../../data/console-context'
import { fieldErrorsOf } from '../../data/error-message'
import { useChange } from '../../data/use-change'
import { FormDrawer } from '../../parts/form-drawer'

/** Adds a server. Authorization follows. */
export function NewServerDrawer({ onClose }: { readonly onClose: () => void }) {
  const { parley } = useConsole()
  const form = useForm({ initialValues: { serverUrl: '', clientId: '', clientSecret: '', scope: '' } })
  const create = useChange({
    change: async ({ serverUrl, clientId, clientSecret, scope }: typeof form.values) =>
      parley.mcpAuthorizations.create({
        serverUrl,
        clientId: clientId || null,
        clientSecret: clientSecret || null,
        scope: scope || null,
      }),
    changes: ['McpAuthorization'],
    isErrorShown: true,
    onDone: onClose,
  })
  const errors = fieldErrorsOf(create.error)
  return (
    <FormDrawer
      title="New MCP server"
      action="Add server"
      isOpen
      onClose={onClose}
      onSubmit={form.onSubmit((values) => create.mutate(values))}
      isBusy={create.isPending}
      isDirty={form.isDirty()}
      error={create.error}
    >
      <TextInput
        label="Server URL"
        description="Must match the server URL in your agents’ tools exactly."
        placeholder="https://mcp.example.com/mcp"
        required
        data-autofocus
        {...form.getInputProps('serverUrl')}
        error={errors.serverUrl}
      />
      <TextInput
        label="Client ID"
        description="Only if the authorization server issued one. Otherwise the service registers automatically."
        {...form.getInputProps('clientId')}
        error={errors.clientId}
      />
      <PasswordInput
        label="Client secret"
        description="Only if the authorization server issued one."
        autoComplete="off"
        {...form.getInputProps('clientSecret')}
        error={errors.clientSecret}
      />
      <TextInput
        label="Scopes"
        description="Separated by spaces. Leave empty for the scopes that the server requests."
        {...form.getInputProps('scope')}
        error={errors.scope}
      />
    </FormDrawer>
  )
}
