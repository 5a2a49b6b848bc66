import { Button, Group } from '@mantine/core'
import type { Agent } from '@parley/sdk'
import { IconMessageCircle } from '@tabler/icons-react'
import type { CallerContext } from '../../data/caller-context'
import { replaceVariables } from '../../data/template-variables'
import { EmptyState } from '../../parts/empty-state'

interface TalkInvitationProps {
  readonly agent: Agent
  /** Fills the variables of the first message. */
  readonly context: CallerContext
  /** Null if the user may not ask questions. */
  readonly onAsk: ((question: string) => void) | null
}

/** Shown in an empty conversation. */
export function TalkInvitation({ agent, context, onAsk }: TalkInvitationProps) {
  const { name, description, exampleQuestions } = agent
  return (
    <EmptyState
      icon={IconMessageCircle}
      title={`Talk to ${name}`}
      action={
        onAsk !== null && (
          <Group gap="xs" justify="center" w="100%">
            {exampleQuestions.map((question) => (
              <Button
                key={question}
                variant="default"
                size="compact-sm"
                radius="xl"
                maw="100%"
                h="auto"
                mih={26}
                py={3}
                // The label hides its overflow, so its lines must be high enough for descenders.
                styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere', lineHeight: 1.4 } }}
                onClick={() => onAsk(question)}
              >
                {question}
              </Button>
            ))}
          </Group>
        )
      }
    >
      {filledMessage(agent, context) ??
        `${description ?? 'Start a conversation.'} Use the microphone or type a message.`}
    </EmptyState>
  )
}

/** Variables without a known value stay as they are. */
function filledMessage(
  { firstMessage, variables }: Agent,
  { externalUserId, variables: given }: CallerContext,
) {
  if (firstMessage === null) return null
  return replaceVariables(firstMessage, (name, fallback) => {
    if (name === 'endUser.externalId') return externalUserId || fallback
    return given[name] ?? variables.find((each) => each.name === name)?.default ?? fallback
  })
}
