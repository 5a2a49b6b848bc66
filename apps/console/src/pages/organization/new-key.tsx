import { Alert, Stack, Text } from '@mantine/core'
import type { CreatedApiKey } from '@parley/sdk'
import { IconKey } from '@tabler/icons-react'
import { useConsole } from '../../data/console-context'
import { CopyField } from '../../parts/copy-field'

/** The key is shown only once. */
export function NewKey({
  created,
  onClose,
}: {
  readonly created: CreatedApiKey
  readonly onClose: () => void
}) {
  const { membership } = useConsole()
  const call = `curl ${location.origin}/api/v1/Agent \\\n  -H 'X-Org-Id: ${membership.id}' -H 'X-Api-Key: ${created.key}'`
  return (
    <Alert
      icon={<IconKey size={18} />}
      title={`${created.name} is ready. Copy it now: it is not shown again.`}
      withCloseButton
      closeButtonLabel="I have copied it"
      onClose={onClose}
    >
      <Stack gap="xs">
        <CopyField value={created.key} label="new key" />
        <Text size="xs" c="dimmed">
          A first call with it:
        </Text>
        <CopyField value={call} label="first call" />
      </Stack>
    </Alert>
  )
}
