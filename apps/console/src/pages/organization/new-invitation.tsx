import { Alert, Text } from '@mantine/core'
import type { CreatedInvitation } from '@parley/sdk'
import { IconMail } from '@tabler/icons-react'
import { CopyField } from '../../parts/copy-field'

/** The link is shown only once. */
export function NewInvitation({
  created: { email, link },
  onClose,
}: {
  readonly created: CreatedInvitation
  readonly onClose: () => void
}) {
  return (
    <Alert
      icon={<IconMail size={18} />}
      title={`Send this link to ${email ?? 'the new member'}. It will not be shown again.`}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <CopyField value={link} label="invitation link" />
      <Text size="xs" c="dimmed" mt={4}>
        It works once and expires after 7 days. Parley sends no email.
      </Text>
    </Alert>
  )
}
