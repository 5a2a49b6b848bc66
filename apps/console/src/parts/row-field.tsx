import { ActionIcon, Button, Fieldset, Group, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import styles from './row-field.module.css'
import { withIndex } from './with-index'

/** A row of a list field. */
export interface EditedRow<Row> {
  readonly row: Row
  /** One-based position, for labels. */
  readonly index: number
  readonly isReadOnly: boolean
  readonly onChange: (row: Row) => void
  readonly onRemove: () => void
}

interface RowFieldProps<Row> {
  readonly legend: string
  readonly about: string
  readonly error?: string | undefined
  readonly isReadOnly: boolean
  readonly addLabel: string
  readonly rows: readonly Row[]
  /** The value of an added row. */
  readonly newRow: Row
  readonly onRows: (rows: readonly Row[]) => void
  readonly children: (edited: EditedRow<Row>) => ReactNode
}

/** A field with any number of rows. */
export function RowField<Row>(props: RowFieldProps<Row>) {
  const { legend, about, error, isReadOnly, addLabel, rows, newRow, onRows, children } = props
  return (
    <Fieldset legend={legend} variant="unstyled" classNames={{ root: styles.root, legend: styles.legend }}>
      <Stack gap="xs">
        <Text size="xs" c="dimmed">
          {about}
        </Text>
        {withIndex(rows).map(({ item: row, index }) => (
          <Fragment key={index}>
            {children({
              row,
              index: index + 1,
              isReadOnly,
              onChange: (next) => onRows(rows.with(index, next)),
              onRemove: () => onRows(rows.filter((_, other) => other !== index)),
            })}
          </Fragment>
        ))}
        {error !== undefined && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
        {!isReadOnly && (
          <Group>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} />}
              onClick={() => onRows([...rows, newRow])}
            >
              {addLabel}
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  )
}

interface RemoveRowProps {
  readonly label: string
  readonly onRemove: () => void
}

export function RemoveRow({ label, onRemove }: RemoveRowProps) {
  return (
    <ActionIcon variant="subtle" color="red" size="lg" onClick={onRemove} aria-label={label}>
      <IconTrash size={16} />
    </ActionIcon>
  )
}
