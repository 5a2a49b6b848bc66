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

/** Rare actions in a menu, so that they are not clicked by mistake. */
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
    done: `${name} is deleted.`,
    onDone: () => void navigate({ to: '/organization/webhooks' }),
  })
  return (
    <Confirm
      title="Make a new secret?"
      action="Make a new secret"
      onConfirm={() => rotate.mutateAsync(undefined)}
      trigger={(openRotation) => (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete webhook"
          onConfirm={() => remove.mutateAsync(undefined)}
          trigger={(openDeletion) => (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="default" size={36} aria-label="More about this webhook">
                  <IconDots size={18} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconRefresh size={16} />} onClick={openRotation}>
                  New secret
                </Menu.Item>
                <Menu.Item leftSection={<IconTrash size={16} />} color="red" onClick={openDeletion}>
                  Delete
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        >
          Its deliveries go with it, also those that wait.
        </Confirm>
      )}
    >
      <Text size="sm">
        It is shown once. Both are valid for a day: until then deliveries carry two signatures, by the new
        secret and by the one before, so that the receiver can change over.
      </Text>
    </Confirm>
  )
}
