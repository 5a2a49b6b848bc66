import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { ApiError } from '@parley/sdk'
import { IconDeviceFloppy } from '@tabler/icons-react'
import { ErrorNotice } from '../../parts/error-notice'
import { focusFirstError } from '../../parts/focus-first-error'
import type { AgentEditing } from './use-agent-editor'

/** A bar at the lower edge, shown while there are unsaved changes. */
export function SaveBar({ editing }: { readonly editing: AgentEditing }) {
  const { base, isDirty, errors, isSaving, error, newer, save, discard } = editing
  const count = Object.keys(errors).length
  if (!isDirty && base !== null) return null
  return (
    <Stack gap="xs" pb="md">
      {error !== null && !isAtFields(error) && <ErrorNotice error={error} />}
      <Paper withBorder shadow="sm" px="md" py="xs" bg="var(--parley-card)">
        <Group justify="space-between" gap="xs">
          <Text size="sm" role="status" {...(count > 0 && { c: 'var(--mantine-color-error)' })}>
            {newer === null
              ? saveStatus(count, isDirty)
              : 'Another user changed this agent. Choose a version above.'}
          </Text>
          <Group gap="xs">
            {base !== null && (
              <Button variant="default" onClick={discard} disabled={isSaving}>
                Discard
              </Button>
            )}
            <Button
              leftSection={<IconDeviceFloppy size={16} />}
              onClick={() => {
                save()
                focusFirstError(document)
              }}
              loading={isSaving}
              disabled={newer !== null}
              title="Ctrl S"
            >
              {base === null ? 'Create agent' : 'Save changes'}
            </Button>
          </Group>
        </Group>
      </Paper>
    </Stack>
  )
}

/** An error that is shown at its field is not repeated here. */
const isAtFields = (error: unknown) =>
  error instanceof ApiError && error.errors.some(({ path }) => path !== '')

function saveStatus(count: number, isDirty: boolean): string {
  if (count > 0) return count === 1 ? '1 error to fix' : `${count} errors to fix`
  return isDirty ? 'Unsaved changes' : 'Enter a name to create the agent'
}
