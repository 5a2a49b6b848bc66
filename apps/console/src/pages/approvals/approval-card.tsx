import { Box, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { Approval } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { AgentName } from '../../parts/agent-select'
import { JsonText } from '../../parts/json-text'
import { TextLink } from '../../parts/text-link'
import { Timestamp } from '../../parts/timestamp'
import { ApprovalOutcome } from './approval-outcome'
import { Deadline } from './deadline'
import { DecisionForm } from './decision-form'

interface ApprovalCardProps {
  readonly approval: Approval
  readonly isWaiting: boolean
}

/** An approval: the pending call and both buttons, and later its outcome. */
export function ApprovalCard({ approval, isWaiting }: ApprovalCardProps) {
  const { may } = useConsole()
  const [decided, setDecided] = useState<Approval | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { tool, title, agentId, createdAt, deadline, id, rehearsal } = approval
  const isOpen = isWaiting && decided === null && refusal === null
  return (
    <Paper withBorder p="md" bg="var(--parley-card)" component="article" aria-labelledby={`approval-${id}`}>
      <Stack gap="sm">
        <Group justify="space-between" align="start" gap="xs">
          <Box flex="1 1 16rem" miw={0}>
            <Title order={2} fz="md" id={`approval-${id}`} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            <Text size="sm" c="dimmed">
              <AgentName agentId={agentId} /> wants to call{' '}
              {title === tool ? 'this tool' : <Code>{tool}</Code>}, requested <Timestamp at={createdAt} />
              {rehearsal && ', in a rehearsal without side effects'}
            </Text>
          </Box>
          {isOpen && <Deadline at={deadline} />}
        </Group>
        <JsonText text={approval.arguments} label={`Arguments of ${title}`} />
        <ConversationLink approval={approval} />
        {isOpen && approval.approvedBy === 'client' && (
          <Text size="sm">Only the end user can decide on this call.</Text>
        )}
        {isOpen && approval.approvedBy !== 'client' && may('approval:decide') && (
          <DecisionForm approval={approval} onDecided={setDecided} onRefused={setRefusal} />
        )}
        {!isOpen && <ApprovalOutcome approval={approval} decided={decided} refusal={refusal} />}
      </Stack>
    </Paper>
  )
}

function ConversationLink({ approval: { conversationId } }: { readonly approval: Approval }) {
  const { parley } = useConsole()
  const conversation = useQuery({
    queryKey: ['Conversation', conversationId],
    queryFn: async () => parley.conversations.get(conversationId),
    staleTime: 60_000,
  })
  return (
    <Text size="sm" truncate>
      <Text span inherit c="dimmed">
        Conversation:{' '}
      </Text>
      <TextLink to="/conversations/$conversationId" params={{ conversationId }} inherit>
        {conversation.data?.title ?? 'Untitled'}
      </TextLink>
    </Text>
  )
}
