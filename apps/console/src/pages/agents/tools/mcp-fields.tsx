import { SegmentedControl, Stack, Switch, TagsInput, TextInput } from '@mantine/core'
import { HeaderField } from './header-field'
import { keepsSecrets, type McpDraft } from './tool-draft'
import { errorBelow } from './tool-errors'
import type { ToolFormProps } from './tool-form-props'

const places = [
  { value: 'url', label: 'URL' },
  { value: 'name', label: 'Preconfigured' },
]

/** Selects the MCP server and its allowed tools. */
export function McpFields({ tool, saved, errors, isReadOnly, onChange }: ToolFormProps<McpDraft>) {
  const { server } = tool
  const set = (fields: Partial<McpDraft['server']>) => onChange({ ...tool, server: { ...server, ...fields } })
  const isNamed = server.name !== null
  return (
    <Stack>
      <SegmentedControl
        aria-label="Server source"
        data={places}
        value={isNamed ? 'name' : 'url'}
        onChange={(index) => set(index === 'name' ? { url: null, name: '' } : { url: '', name: null })}
        disabled={isReadOnly}
      />
      {isNamed ? (
        <TextInput
          label="Server name"
          description="As listed in PARLEY_MCP_SERVERS."
          required
          value={server.name ?? ''}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
          error={errors['server.name']}
          readOnly={isReadOnly}
        />
      ) : (
        <TextInput
          label="Server URL"
          description="Streamable HTTP endpoint."
          placeholder="https://mcp.example.com/mcp"
          required
          value={server.url ?? ''}
          onChange={({ currentTarget }) => set({ url: currentTarget.value })}
          error={errors['server.url'] ?? errors.server}
          readOnly={isReadOnly}
        />
      )}
      <TagsInput
        label="Allowed tools"
        description="Tool names, each followed by Enter. Leave empty for all."
        value={tool.allowedTools ?? []}
        onChange={(names) => onChange({ ...tool, allowedTools: names.length === 0 ? null : names })}
        error={errorBelow(errors, 'allowedTools')}
        readOnly={isReadOnly}
      />
      <Switch
        label="Require approval for destructive tools"
        description="Applies to all tools that the server does not mark as read-only or additive."
        checked={tool.destructiveApprovalRequired}
        onChange={({ currentTarget }) =>
          onChange({ ...tool, destructiveApprovalRequired: currentTarget.checked })
        }
        disabled={isReadOnly}
      />
      {!isNamed && (
        <HeaderField
          storedNames={server.headerNames}
          changes={server.headers ?? {}}
          isKept={keepsSecrets(tool, saved)}
          isReadOnly={isReadOnly}
          error={errorBelow(errors, 'server.headers')}
          onChange={(headers) => set({ headers })}
        />
      )}
    </Stack>
  )
}
