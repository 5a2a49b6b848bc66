import { ActionIcon, Menu, Text } from '@mantine/core'
import type { CreatedWebhook, Webhook } from '@parley/sdk'
import { IconDots, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { Confirm } from '../../parts/confirm'

interface WebhookMenuProps {
  readonly webhook: Webhook
  readonly onRotated: (rotated: CreatedWebhook) => void
}

/** Rare actions in a menu, so that they are not clicked by accident. */
export function WebhookMenu({ webhook: { id, name }, onRotated }: WebhookMenuProps) {
  const { parley } = useConsole()
  const navigate = useNavigate()
  const rotate = useChange({
    change: async () => parley.webhooks.rotateSecret(id),
    changes: ['Webhook'],
    onDone: onRotated,
  })
  const remove = useChange({
    change: async () => parley.webhooks.delete(id),
    changes: ['Webhook'],
    done: `${name} deleted.`,
    onDone: () => void navigate({ to: '/organization/webhooks' }),
  })
  return (
    <Confirm
      title="Rotate secret?"
      action="Rotate secret"
      onConfirm={() => rotate.mutateAsync(undefined)}
      trigger={(openRotation) => (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete webhook"
          onConfirm={() => remove.mutateAsync(undefined)}
          trigger={(openDeletion) => (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="default" size={36} aria-label="More actions">
                  <IconDots size={18} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconRefresh size={16} />} onClick={openRotation}>
                  Rotate secret
                </Menu.Item>
                <Menu.Item leftSection={<IconTrash size={16} />} color="red" onClick={openDeletion}>
                  Delete
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        >
          This also deletes its deliveries, including pending ones.
        </Confirm>
      )}
    >
      <Text size="sm">
        The new secret is shown once. The old one stays valid for a day, and deliveries carry both signatures
        until then.
      </Text>
    </Confirm>
  )
}
