import { Button, Group, PasswordInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type EditedRow, RemoveRow, RowField } from '../../../parts/row-field'
import type { HeaderChanges } from './tool-draft'

interface HeaderFieldProps {
  /** Stored headers. Their values are never returned. */
  readonly storedNames: readonly string[]
  readonly changes: HeaderChanges
  /** Whether stored values remain valid for the tool as edited. */
  readonly isKept: boolean
  readonly isReadOnly: boolean
  readonly error: string | undefined
  readonly onChange: (changes: HeaderChanges) => void
}

interface Row {
  readonly name: string
  /** Null keeps the stored value. */
  readonly value: string | null
  readonly isStored: boolean
  readonly isRemoved: boolean
}

/** Secret headers can be written, replaced and removed, but not read. */
export function HeaderField({ storedNames, changes, isKept, isReadOnly, error, onChange }: HeaderFieldProps) {
  const [rows, setRows] = useState(() => rowsOf(storedNames, changes))
  const put = (next: readonly Row[]) => {
    setRows(next)
    onChange(changesOf(next))
  }
  const losesSome =
    !isKept && rows.some(({ isStored, value, isRemoved }) => isStored && value === null && !isRemoved)
  return (
    <RowField
      legend="Headers"
      about="For API keys and other credentials. Values are encrypted and never shown again."
      error={
        losesSome
          ? 'The tool’s name or URL changed, so stored values no longer apply. Enter them again.'
          : error
      }
      isReadOnly={isReadOnly}
      addLabel="Add header"
      rows={rows}
      newRow={newHeader}
      onRows={put}
    >
      {(edited) =>
        edited.row.isStored && edited.row.value === null ? (
          <StoredHeader {...edited} />
        ) : (
          <WrittenHeader {...edited} />
        )
      }
    </RowField>
  )
}

const newHeader: Row = { name: '', value: '', isStored: false, isRemoved: false }

function StoredHeader({ row, isReadOnly, onChange }: EditedRow<Row>) {
  const { name, isRemoved } = row
  return (
    <Group gap="xs" justify="space-between">
      <Text size="sm" ff="monospace" td={isRemoved ? 'line-through' : undefined}>
        {name}: ••••••••
      </Text>
      {!isReadOnly && (
        <Group gap="xs">
          {!isRemoved && (
            <Button size="compact-xs" variant="default" onClick={() => onChange({ ...row, value: '' })}>
              Replace
            </Button>
          )}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => onChange({ ...row, isRemoved: !isRemoved })}
            aria-label={isRemoved ? `Keep header ${name}` : `Remove header ${name}`}
          >
            {isRemoved ? 'Keep' : 'Remove'}
          </Button>
        </Group>
      )}
    </Group>
  )
}

function WrittenHeader({ row, index, isReadOnly, onChange, onRemove }: EditedRow<Row>) {
  const { name, value, isStored } = row
  return (
    <Group gap="xs" wrap="nowrap">
      <TextInput
        aria-label={`Header ${index} name`}
        placeholder="Authorization"
        flex={1}
        value={name}
        readOnly={isStored || isReadOnly}
        onChange={({ currentTarget }) => onChange({ ...row, name: currentTarget.value })}
      />
      <PasswordInput
        aria-label={`Header ${index} value`}
        placeholder="Bearer …"
        flex={2}
        autoComplete="off"
        value={value ?? ''}
        readOnly={isReadOnly}
        onChange={({ currentTarget }) => onChange({ ...row, value: currentTarget.value })}
      />
      <RemoveRow
        label={isStored ? `Keep stored value of ${name}` : `Remove header ${index}`}
        onRemove={isStored ? () => onChange({ ...row, value: null }) : onRemove}
      />
    </Group>
  )
}

function rowsOf(storedNames: readonly string[], changes: HeaderChanges): readonly Row[] {
  const stored = storedNames.map((name) => {
    const value = changes[name] ?? null
    return { name, value, isStored: true, isRemoved: changes[name] === null }
  })
  const added = Object.entries(changes).filter(([name]) => !storedNames.includes(name))
  return [...stored, ...added.map(([name, value]) => ({ name, value, isStored: false, isRemoved: false }))]
}

function changesOf(rows: readonly Row[]): HeaderChanges {
  const changed = rows.filter(({ name, value, isRemoved }) => name !== '' && (value !== null || isRemoved))
  return Object.fromEntries(changed.map(({ name, value }) => [name, value]))
}
