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
      title={`API key ${created.name} created. Copy it now. It will not be shown again.`}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <Stack gap="xs">
        <CopyField value={created.key} label="new key" />
        <Text size="xs" c="dimmed">
          Example request:
        </Text>
        <CopyField value={call} label="example request" />
      </Stack>
    </Alert>
  )
}
