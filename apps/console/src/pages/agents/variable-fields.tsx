import { Button, Checkbox, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type AgentVariable, undeclaredIn } from '../../data/template-variables'
import { type EditedRow, RemoveRow, RowField } from '../../parts/row-field'
import type { FieldErrors } from './agent-errors'
import type { TabProps } from './use-agent-editor'

const newVariable: AgentVariable = { name: '', description: null, default: null, required: true }

/** The variables that callers set. */
export function VariableFields({ editing: { draft, errors, change }, isReadOnly }: TabProps) {
  const { variables, systemMessage, firstMessage } = draft
  const undeclared = undeclaredIn(`${systemMessage}\n${firstMessage ?? ''}`, variables)
  const put = (next: readonly AgentVariable[]) => change({ variables: [...next] })
  return (
    <Stack gap="xs">
      {!isReadOnly && undeclared.length > 0 && (
        <Group gap="xs">
          {undeclared.map((name) => (
            <Button
              key={name}
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} />}
              onClick={() => put([...variables, { ...newVariable, name }])}
            >
              Declare {name}
            </Button>
          ))}
        </Group>
      )}
      <RowField
        legend="Variables"
        about="Your backend sends their values. Write {{name}} in instructions, the first message and tools."
        error={errors.variables}
        isReadOnly={isReadOnly}
        addLabel="Add variable"
        rows={variables}
        newRow={newVariable}
        onRows={put}
      >
        {(edited) => <VariableCard {...edited} errors={errors} />}
      </RowField>
    </Stack>
  )
}

interface VariableCardProps extends EditedRow<AgentVariable> {
  readonly errors: FieldErrors
}

function VariableCard({ row, index, isReadOnly, errors, onChange, onRemove }: VariableCardProps) {
  const field = (name: 'name' | 'description' | 'default', label: string) => ({
    'aria-label': `Variable ${index} ${label}`,
    value: row[name] ?? '',
    error: errors[`variables[${index - 1}].${name}`],
    readOnly: isReadOnly,
  })
  return (
    <Paper withBorder p="xs">
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap" align="start">
          <TextInput
            {...field('name', 'name')}
            placeholder="customerName"
            flex={1}
            miw={0}
            onChange={({ currentTarget }) => onChange({ ...row, name: currentTarget.value })}
          />
          <TextInput
            {...field('default', 'default')}
            placeholder="Default"
            flex={1}
            miw={0}
            onChange={({ currentTarget }) => onChange({ ...row, default: currentTarget.value || null })}
          />
          {!isReadOnly && <RemoveRow label={`Remove variable ${index}`} onRemove={onRemove} />}
        </Group>
        <TextInput
          {...field('description', 'description')}
          placeholder="Description for your developers"
          maxLength={500}
          onChange={({ currentTarget }) => onChange({ ...row, description: currentTarget.value || null })}
        />
        <Checkbox
          label="Required"
          size="xs"
          checked={row.required}
          disabled={isReadOnly}
          onChange={({ currentTarget }) => onChange({ ...row, required: currentTarget.checked })}
        />
        {row.required && row.default !== null && (
          <Text size="xs" c="dimmed">
            The default is used if your backend sends no value.
          </Text>
        )}
      </Stack>
    </Paper>
  )
}
