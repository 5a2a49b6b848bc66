import { Button, Group } from '@mantine/core'
import type { Agent } from '@parley/sdk'
import { IconMessageCircle } from '@tabler/icons-react'
import { EmptyState } from '../../parts/empty-state'

interface TalkInvitationProps {
  readonly agent: Agent
  /** Null if the user may not ask questions. */
  readonly onAsk: ((question: string) => void) | null
}

/** Shown in an empty conversation. */
export function TalkInvitation({ agent, onAsk }: TalkInvitationProps) {
  const { name, description, firstMessage, exampleQuestions } = agent
  return (
    <EmptyState
      icon={IconMessageCircle}
      title={`Talk to ${name}`}
      action={
        onAsk !== null && (
          <Group gap="xs" justify="center">
            {exampleQuestions.map((question) => (
              <Button
                key={question}
                variant="default"
                size="compact-sm"
                radius="xl"
                maw="100%"
                onClick={() => onAsk(question)}
              >
                {question}
              </Button>
            ))}
          </Group>
        )
      }
    >
      {firstMessage ?? `${description ?? 'Start a conversation.'} Use the microphone or type a message.`}
    </EmptyState>
  )
}
