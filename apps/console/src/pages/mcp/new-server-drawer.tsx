import { PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useConsole } from '../../data/console-context'
import { fieldErrorsOf } from '../../data/error-words'
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
      title="Add an MCP server"
      action="Add server"
      isOpen
      onClose={onClose}
      onSubmit={form.onSubmit((values) => create.mutate(values))}
      isBusy={create.isPending}
      isDirty={form.isDirty()}
      error={create.error}
    >
      <TextInput
        label="Address of the server"
        description="Exactly as the tools of agents name it."
        placeholder="https://mcp.example.com/mcp"
        required
        data-autofocus
        {...form.getInputProps('serverUrl')}
        error={errors.serverUrl}
      />
      <TextInput
        label="Client id"
        description="Only where the issuer has given you one; else the service registers itself."
        {...form.getInputProps('clientId')}
        error={errors.clientId}
      />
      <PasswordInput
        label="Client secret"
        description="Only where the issuer has given you one."
        autoComplete="off"
        {...form.getInputProps('clientSecret')}
        error={errors.clientSecret}
      />
      <TextInput
        label="Scopes"
        description="Separated by spaces; left empty, what the server says that it needs."
        {...form.getInputProps('scope')}
        error={errors.scope}
      />
    </FormDrawer>
  )
}
