import { Checkbox, NumberInput, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { ButtonField } from './button-field'
import { HttpFields } from './http-fields'
import { McpFields } from './mcp-fields'
import { builtinLabels, kindLabels, newTool } from './tool-draft'
import type { ToolFormProps } from './tool-form-props'

const kinds = Object.entries(kindLabels).map(([value, { title }]) => ({ value, label: title }))
const approvers = {
  staff: { label: 'Staff', about: 'Members and API keys that may decide on approvals.' },
  client: {
    label: 'End user',
    about: 'The person who talks to the agent, such as a website visitor.',
  },
  either: { label: 'Staff or end user', about: 'The first decision counts.' },
} as const
const approverChoices = Object.entries(approvers).map(([value, { label }]) => ({ value, label }))

const builtins = Object.entries(builtinLabels).map(([value, label]) => ({ value, label }))

export function ToolForm(props: ToolFormProps) {
  const { tool, errors, isReadOnly, onChange } = props
  const describes = tool.kind === 'http'
  return (
    <Stack>
      <Select
        label="Type"
        description={kindLabels[tool.kind].about}
        data={kinds}
        value={tool.kind}
        onChange={(kind) => {
          if (kind === 'http' || kind === 'mcp' || kind === 'builtin') onChange(newTool(kind, tool))
        }}
        allowDeselect={false}
        readOnly={isReadOnly}
      />
      {tool.kind === 'builtin' && (
        <Select
          label="Built-in tool"
          data={builtins}
          value={tool.builtin}
          onChange={(name) => {
            if (name === 'current_time' || name === 'create_task' || name === 'search_files')
              onChange({ ...tool, builtin: name, name: tool.name === tool.builtin ? name : tool.name })
          }}
          allowDeselect={false}
          readOnly={isReadOnly}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Name"
          description={
            tool.kind === 'mcp'
              ? 'Prefix for the server’s tools. The model sees them as <name>__<tool>.'
              : 'The model calls the tool by this name.'
          }
          placeholder="find_booking"
          required
          value={tool.name}
          onChange={({ currentTarget }) => onChange({ ...tool, name: currentTarget.value })}
          error={errors.name}
          readOnly={isReadOnly}
          data-autofocus
        />
        <TextInput
          label="Title"
          description="Shown to users. Leave empty to show the name."
          value={tool.title ?? ''}
          onChange={({ currentTarget }) => onChange({ ...tool, title: currentTarget.value || null })}
          error={errors.title}
          readOnly={isReadOnly}
        />
      </SimpleGrid>
      <Textarea
        label="Description"
        description={
          tool.kind === 'mcp'
            ? 'A note for your team. The server describes its own tools.'
            : 'Purpose of the tool and when to use it. The model reads this.'
        }
        required={describes}
        autosize
        minRows={2}
        maxRows={8}
        value={tool.description ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange(
            tool.kind === 'http' ? { ...tool, description: value } : { ...tool, description: value || null },
          )
        }
        error={errors.description}
        readOnly={isReadOnly}
      />
      {tool.kind === 'http' && <HttpFields {...props} tool={tool} />}
      {tool.kind === 'mcp' && <McpFields {...props} tool={tool} />}
      <Checkbox
        label="Require approval"
        description="Each call waits for a decision in the console, in your app or over the API."
        checked={tool.approvalRequired}
        onChange={({ currentTarget }) =>
          !isReadOnly && onChange({ ...tool, approvalRequired: currentTarget.checked })
        }
        disabled={isReadOnly}
      />
      {(tool.approvalRequired || (tool.kind === 'mcp' && tool.destructiveApprovalRequired)) && (
        <Select
          label="Approver"
          description={approvers[tool.approvedBy].about}
          data={approverChoices}
          value={tool.approvedBy}
          onChange={(by) => {
            if (by === 'staff' || by === 'client' || by === 'either') onChange({ ...tool, approvedBy: by })
          }}
          allowDeselect={false}
          error={errors.approvedBy}
          readOnly={isReadOnly}
        />
      )}
      <NumberInput
        label="Timeout"
        description="In seconds, from 1 to 600."
        min={1}
        max={600}
        w="10rem"
        value={tool.timeoutSeconds}
        onChange={(value) => onChange({ ...tool, timeoutSeconds: Number(value) })}
        error={errors.timeoutSeconds}
        readOnly={isReadOnly}
      />
      <ButtonField {...props} />
    </Stack>
  )
}
