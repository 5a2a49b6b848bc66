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
      title={`The secret of ${name}. Copy it now: it is not shown again.`}
      withCloseButton
      closeButtonLabel="I have copied it"
      onClose={onClose}
    >
      <Stack gap="xs">
        <CopyField value={secret} label="new secret" />
        <Text size="xs" c="dimmed">
          {previousSecretExpiresAt === null
            ? 'The receiver checks by it that what arrives is from here, as the Standard Webhooks specification says.'
            : `Both are valid for a day: until ${new Date(previousSecretExpiresAt).toLocaleString()} deliveries are signed by this one and by the one before.`}
        </Text>
      </Stack>
    </Alert>
  )
}
