import { ActionIcon, Button, Fieldset, Group, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface RowFieldProps {
  readonly legend: string
  readonly about: string
  readonly error?: string | undefined
  readonly isReadOnly: boolean
  readonly addLabel: string
  readonly onAdd: () => void
  readonly children: ReactNode
}

/** A field of as many rows as are wanted. */
export function RowField({ legend, about, error, isReadOnly, addLabel, onAdd, children }: RowFieldProps) {
  return (
    <Fieldset legend={legend} radius="md">
      <Stack gap="xs">
        <Text size="xs" c="dimmed">
          {about}
        </Text>
        {children}
        {error !== undefined && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
        {!isReadOnly && (
          <Group>
            <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={onAdd}>
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
