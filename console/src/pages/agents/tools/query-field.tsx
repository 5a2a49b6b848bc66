import { Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { placed } from '../placed'
import { RemoveRow, RowField } from './row-field'

interface QueryFieldProps {
  readonly query: Readonly<Record<string, string>>
  readonly isReadOnly: boolean
  readonly error: string | undefined
  readonly onChange: (query: Record<string, string>) => void
}

/** Query parameters that every call has. */
export function QueryField({ query, isReadOnly, error, onChange }: QueryFieldProps) {
  // While a name is being written two rows may have the same one, which no object can.
  const [rows, setRows] = useState<readonly (readonly [string, string])[]>(() => Object.entries(query))
  const put = (next: readonly (readonly [string, string])[]) => {
    setRows(next)
    onChange(Object.fromEntries(next.filter(([name]) => name !== '')))
  }
  return (
    <RowField
      legend="Query"
      about="Sent with every call; values may hold {name} placeholders."
      error={error}
      isReadOnly={isReadOnly}
      addLabel="Add a query parameter"
      onAdd={() => put([...rows, ['', '']])}
    >
      {placed(rows).map(({ item: [name, value], place: index }) => (
        <Group key={index} gap="xs" wrap="nowrap">
          <TextInput
            aria-label={`Name of query parameter ${index + 1}`}
            placeholder="name"
            flex={1}
            value={name}
            readOnly={isReadOnly}
            onChange={({ currentTarget }) => put(rows.with(index, [currentTarget.value, value]))}
          />
          <TextInput
            aria-label={`Value of query parameter ${index + 1}`}
            placeholder="value"
            flex={2}
            value={value}
            readOnly={isReadOnly}
            onChange={({ currentTarget }) => put(rows.with(index, [name, currentTarget.value]))}
          />
          {!isReadOnly && (
            <RemoveRow
              label={`Remove query parameter ${index + 1}`}
              onRemove={() => put(rows.filter((_, other) => other !== index))}
            />
          )}
        </Group>
      ))}
    </RowField>
  )
}
