import { Badge, Group, Text } from '@mantine/core'
import type { Approval } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../data/console-context'
import { stateLabels } from './approval-state-labels'
import { DeciderName } from './decider-name'
import { Timestamp } from './timestamp'

interface CallApprovalProps {
  readonly conversationId: string
  readonly callId: string
}

/** Who decided a call, when and how. Nothing if no approval was needed or it is pending. */
export function CallApproval({ conversationId, callId }: CallApprovalProps) {
  const { parley } = useConsole()
  // Shared by all calls of a conversation.
  const approvals = useQuery({
    queryKey: ['Approval', 'of', conversationId],
    queryFn: async () => parley.approvals.list({ ConversationId: conversationId, Limit: 200 }),
    staleTime: 60_000,
  })
  const approval = approvals.data?.items.find((each) => each.callId === callId)
  if (approval === undefined || approval.state === 'waiting') return null
  return (
    <Group gap="xs">
      <ApprovalResult approval={approval} />
    </Group>
  )
}

export function ApprovalResult({
  approval: { state, decidedBy, decidedAt, reason },
}: {
  readonly approval: Approval
}) {
  const { label, color } = stateLabels[state]
  return (
    <>
      <Badge variant="light" color={color}>
        {label}
      </Badge>
      {decidedBy !== null && (
        <Text size="sm">
          by <DeciderName decidedBy={decidedBy} inSentence />, {ways[decidedBy.type]},{' '}
          <Timestamp at={decidedAt} />
        </Text>
      )}
      {state === 'expired' && <Text size="sm">Approval expired. The tool was not called.</Text>}
      {reason !== null && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          “{reason}”
        </Text>
      )}
    </>
  )
}

const ways = { person: 'signed in', api_key: 'via API', client: 'in the session' } as const
