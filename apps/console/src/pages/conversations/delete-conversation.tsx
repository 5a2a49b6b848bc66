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
    done: 'The conversation is deleted.',
  })
  return (
    <Confirm
      title="Delete this conversation?"
      action="Delete conversation"
      onConfirm={() => remove.mutateAsync(undefined)}
      trigger={(open) => (
        <Tooltip label="Delete this conversation">
          <ActionIcon variant="default" size={36} onClick={open} aria-label="Delete this conversation">
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    >
      {title === null ? 'It' : `“${title}”`} and all its messages are gone for good. Sessions that run on it
      end, and whatever waits for approval in it is not run.
    </Confirm>
  )
}
