import { ActionIcon, Tooltip } from '@mantine/core'
import type { Conversation } from '@parley/sdk'
import { IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { Confirm } from '../../parts/confirm'

export function DeleteConversation({ conversation: { id, title } }: { readonly conversation: Conversation }) {
  const { parley } = useConsole()
  const navigate = useNavigate()
  const remove = useChange({
    change: async () => {
      await parley.conversations.delete(id)
      // Navigation comes first. Otherwise the deleted conversation would be refetched.
      await navigate({ to: '/conversations' })
    },
    changes: ['Conversation', 'RealtimeSession', 'Approval'],
    done: 'Conversation deleted.',
  })
  return (
    <Confirm
      title="Delete conversation?"
      action="Delete conversation"
      onConfirm={() => remove.mutateAsync(undefined)}
      trigger={(open) => (
        <Tooltip label="Delete conversation">
          <ActionIcon variant="default" size={36} onClick={open} aria-label="Delete conversation">
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    >
      {title === null ? 'The conversation' : `“${title}”`} and all its messages are permanently deleted.
      Running sessions end, and pending tool calls are not run.
    </Confirm>
  )
}
