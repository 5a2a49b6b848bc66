import { Checkbox, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type EditedRow, RemoveRow, RowField } from '../../../parts/row-field'
import {
  type ParameterRow,
  parametersOf,
  parameterTypes,
  restOf,
  rowsOf,
  sharedName,
  textOf,
} from './parameter-rows'
import type { HttpDraft } from './tool-draft'

interface ParameterFieldProps {
  readonly parameters: HttpDraft['parameters']
  readonly isReadOnly: boolean
  readonly error: string | undefined
  readonly onChange: (parameters: HttpDraft['parameters']) => void
}

/** The tool's parameters, one row each. */
export function ParameterField({ parameters, isReadOnly, error, onChange }: ParameterFieldProps) {
  const [rows, setRows] = useState(() => rowsOf(parameters))
  const put = (next: readonly ParameterRow[]) => {
    setRows(next)
    onChange(parametersOf(next, parameters))
  }
  const shared = sharedName(rows)
  return (
    <RowField
      legend="Parameters"
      about="Arguments that the model provides. Describe each one, with an example."
      error={shared === undefined ? error : `Two parameters are named ${shared}`}
      isReadOnly={isReadOnly}
      addLabel="Add parameter"
      rows={rows}
      newRow={newParameter}
      onRows={put}
    >
      {(edited) => <ParameterCard {...edited} />}
    </RowField>
  )
}

const newParameter: ParameterRow = { name: '', schema: { type: 'string' }, isRequired: true }

function ParameterCard({ row, index, isReadOnly, onChange, onRemove }: EditedRow<ParameterRow>) {
  const { name, schema, isRequired } = row
  const type = textOf(schema.type)
  const rest = restOf(row)
  const types = parameterTypes.includes(type)
    ? parameterTypes
    : [...parameterTypes, { value: '', label: 'Custom (edit as JSON)' }]
  return (
    <Paper withBorder p="xs">
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap">
          <TextInput
            aria-label={`Parameter ${index} name`}
            placeholder="name"
            flex={1}
            value={name}
            readOnly={isReadOnly}
            onChange={({ currentTarget }) => onChange({ ...row, name: currentTarget.value })}
          />
          <Select
            aria-label={`Parameter ${index} type`}
            data={types}
            w="7.5rem"
            value={parameterTypes.includes(type) ? type : ''}
            allowDeselect={false}
            readOnly={isReadOnly}
            onChange={(next) => next && onChange({ ...row, schema: { ...schema, type: next } })}
          />
          {!isReadOnly && <RemoveRow label={`Remove parameter ${index}`} onRemove={onRemove} />}
        </Group>
        <TextInput
          aria-label={`Parameter ${index} description`}
          placeholder="Description for the model"
          value={textOf(schema.description)}
          readOnly={isReadOnly}
          onChange={({ currentTarget: { value } }) => {
            const { description: _, ...others } = schema
            onChange({ ...row, schema: value === '' ? others : { ...others, description: value } })
          }}
        />
        <Group justify="space-between" gap="xs">
          <Checkbox
            label="Required"
            size="xs"
            checked={isRequired}
            disabled={isReadOnly}
            onChange={({ currentTarget }) => onChange({ ...row, isRequired: currentTarget.checked })}
          />
          {rest.length > 0 && (
            <Text size="xs" c="dimmed">
              Also in JSON: {rest.join(', ')}
            </Text>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}
