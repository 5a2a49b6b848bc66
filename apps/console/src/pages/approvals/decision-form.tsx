import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type Approval, ConflictError } from '@parley/sdk'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { useConsole } from '../../data/console-context'
import { errorText } from '../../data/error-message'
import { useChange } from '../../data/use-change'
import { ErrorNotice } from '../../parts/error-notice'

interface DecisionFormProps {
  readonly approval: Approval
  readonly onDecided: (decided: Approval) => void
  /** Called with the reason if the call is no longer pending. */
  readonly onRefused: (why: string) => void
}

/** Approve, or reject with an optional reason. */
export function DecisionForm({ approval, onDecided, onRefused }: DecisionFormProps) {
  const { parley } = useConsole()
  const queries = useQueryClient()
  const [isRejecting, setRejecting] = useState(false)
  const [reason, setReason] = useState('')
  const { conversationId, callId, title } = approval
  const decide = useChange({
    change: async (decision: 'approve' | 'reject') => {
      try {
        const reasonGiven = decision === 'reject' && reason.trim() !== '' ? reason.trim() : null
        return await parley.approvals.decide(conversationId, { callId, decision, reason: reasonGiven })
      } catch (error) {
        // If another user was faster or it has expired, the outcome replaces the buttons.
        if (error instanceof ConflictError) {
          onRefused(errorText(error))
          void queries.invalidateQueries({ queryKey: ['Approval'] })
        }
        throw error
      }
    },
    changes: ['Approval', 'Message', 'Conversation'],
    isErrorShown: true,
    onDone: onDecided,
  })
  const cancel = () => {
    setRejecting(false)
    setReason('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') cancel()
    if (event.key === 'Enter') decide.mutate('reject')
  }
  return (
    <Stack gap="sm">
      {isRejecting ? (
        <Group align="end" gap="xs">
          <TextInput
            label="Reason (optional)"
            description="The agent sees it and can tell the user."
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            onKeyDown={onKeyDown}
            maxLength={2000}
            autoFocus
            flex="1 1 16rem"
          />
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button color="red" loading={decide.isPending} onClick={() => decide.mutate('reject')}>
            Reject call
          </Button>
        </Group>
      ) : (
        <Group gap="xs">
          <Button
            leftSection={<IconCheck size={16} />}
            loading={decide.isPending}
            onClick={() => decide.mutate('approve')}
            aria-label={`Approve ${title}`}
          >
            Approve
          </Button>
          <Button
            variant="default"
            leftSection={<IconX size={16} />}
            disabled={decide.isPending}
            onClick={() => setRejecting(true)}
            aria-label={`Reject ${title}`}
          >
            Reject
          </Button>
        </Group>
      )}
      {decide.error !== null && <ErrorNotice error={decide.error} />}
    </Stack>
  )
}
