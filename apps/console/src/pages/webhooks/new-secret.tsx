import { Alert, Stack, Text } from '@mantine/core'
import type { CreatedWebhook } from '@parley/sdk'
import { IconKey } from '@tabler/icons-react'
import { CopyField } from '../../parts/copy-field'

interface NewSecretProps {
  readonly created: CreatedWebhook
  readonly onClose: () => void
}

/** The secret is shown only once. */
export function NewSecret({ created: { name, secret, previousSecretExpiresAt }, onClose }: NewSecretProps) {
  return (
    <Alert
      icon={<IconKey size={18} />}
      title={`Secret of ${name}. Copy it now. It will not be shown again.`}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <Stack gap="xs">
        <CopyField value={secret} label="new secret" />
        <Text size="xs" c="dimmed">
          {previousSecretExpiresAt === null
            ? 'The receiver verifies signatures with this secret, as defined by Standard Webhooks.'
            : `Both secrets are valid for a day. Deliveries carry both signatures until ${new Date(previousSecretExpiresAt).toLocaleString()}.`}
        </Text>
      </Stack>
    </Alert>
  )
}
