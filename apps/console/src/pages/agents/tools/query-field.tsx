import { Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { RemoveRow, RowField } from '../../../parts/row-field'

interface QueryFieldProps {
  readonly query: Readonly<Record<string, string>>
  readonly isReadOnly: boolean
  readonly error: string | undefined
  readonly onChange: (query: Record<string, string>) => void
}

type Row = readonly [name: string, value: string]

/** Fixed query parameters. */
export function QueryField({ query, isReadOnly, error, onChange }: QueryFieldProps) {
  // While typing, two rows may briefly share a name, which an object cannot hold.
  const [rows, setRows] = useState<readonly Row[]>(() => Object.entries(query))
  const put = (next: readonly Row[]) => {
    setRows(next)
    onChange(Object.fromEntries(next.filter(([name]) => name !== '')))
  }
  return (
    <RowField
      legend="Query parameters"
      about="Sent with every call. Values can contain {name} placeholders."
      error={error}
      isReadOnly={isReadOnly}
      addLabel="Add query parameter"
      rows={rows}
      newRow={['', '']}
      onRows={put}
    >
      {({ row: [name, value], index, onChange: change, onRemove }) => (
        <Group gap="xs" wrap="nowrap">
          <TextInput
            aria-label={`Query parameter ${index} name`}
            placeholder="name"
            flex={1}
            value={name}
            readOnly={isReadOnly}
            onChange={({ currentTarget }) => change([currentTarget.value, value])}
          />
          <TextInput
            aria-label={`Query parameter ${index} value`}
            placeholder="value"
            flex={2}
            value={value}
            readOnly={isReadOnly}
            onChange={({ currentTarget }) => change([name, currentTarget.value])}
          />
          {!isReadOnly && <RemoveRow label={`Remove query parameter ${index}`} onRemove={onRemove} />}
        </Group>
      )}
    </RowField>
  )
}
