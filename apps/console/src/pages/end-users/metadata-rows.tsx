import { Box, Group, Select, Text, TextInput } from '@mantine/core'
import { type EditedRow, RemoveRow, RowField } from '../../parts/row-field'
import { type MetadataRow, newMetadata } from './end-user-draft'

const types = [
  { value: 'string', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Yes or no' },
]

const answers = [
  { value: 'true', label: 'true' },
  { value: 'false', label: 'false' },
]

interface MetadataRowsProps {
  readonly rows: readonly MetadataRow[]
  readonly errors: Readonly<Record<string, string>>
  readonly onRows: (rows: readonly MetadataRow[]) => void
}

/** Keys and values of metadata, one row each. */
export function MetadataRows({ rows, errors, onRows }: MetadataRowsProps) {
  return (
    <RowField
      legend="Metadata"
      about="Your own data about the end user. Lists can be filtered by it."
      error={errors.metadata}
      isReadOnly={false}
      addLabel="Add metadata"
      rows={rows}
      newRow={newMetadata}
      onRows={onRows}
    >
      {(edited) => <Row {...edited} error={errors[`metadata[${edited.index - 1}]`]} />}
    </RowField>
  )
}

function Row({
  row,
  index,
  error,
  onChange,
  onRemove,
}: EditedRow<MetadataRow> & { readonly error: string | undefined }) {
  const { key, type, text } = row
  const become = (next: string | null) => {
    if (next === 'boolean') onChange({ ...row, type: next, text: text === 'true' ? 'true' : 'false' })
    else if (next === 'string' || next === 'number') onChange({ ...row, type: next })
  }
  return (
    <Box>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          aria-label={`Metadata ${index} key`}
          placeholder="plan"
          maxLength={100}
          flex={1}
          miw={0}
          value={key}
          error={error !== undefined}
          onChange={({ currentTarget }) => onChange({ ...row, key: currentTarget.value })}
        />
        <Select
          aria-label={`Metadata ${index} type`}
          data={types}
          w="6.5rem"
          value={type}
          allowDeselect={false}
          onChange={become}
        />
        {type === 'boolean' ? (
          <Select
            aria-label={`Metadata ${index} value`}
            data={answers}
            flex={1}
            miw={0}
            value={text}
            allowDeselect={false}
            onChange={(next) => onChange({ ...row, text: next ?? 'false' })}
          />
        ) : (
          <TextInput
            aria-label={`Metadata ${index} value`}
            placeholder="pro"
            flex={1}
            miw={0}
            value={text}
            error={error !== undefined}
            onChange={({ currentTarget }) => onChange({ ...row, text: currentTarget.value })}
          />
        )}
        <RemoveRow label={`Remove metadata ${index}`} onRemove={onRemove} />
      </Group>
      {error !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" mt={4} role="alert">
          {error}
        </Text>
      )}
    </Box>
  )
}
