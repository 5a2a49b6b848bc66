import { Badge, Group, Stack, Text } from '@mantine/core'
import type { Message } from '@parley/sdk'
import type { ReactNode } from 'react'
import { formatMilliseconds } from '../../data/format-duration'
import { CallApproval } from '../../parts/call-approval'
import { JsonText } from '../../parts/json-text'
import { TextLink } from '../../parts/text-link'
import styles from './transcript.module.css'

/** Indexed by the API's status code. */
const statuses = [
  { label: 'Running', color: 'blue' },
  { label: 'Done', color: 'green' },
  { label: 'Failed', color: 'red' },
  { label: 'Waiting for approval', color: 'orange' },
] as const

/** A tool call or a question to another agent, with arguments and result. */
export function CallView({ message }: { readonly message: Message }) {
  const { role, status, executionTimeSeconds, content, failure } = message
  const shown = status === null ? undefined : statuses[status]
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {shown !== undefined && (
          <Badge variant="light" color={shown.color}>
            {shown.label}
          </Badge>
        )}
        {executionTimeSeconds !== null && (
          <Text size="xs" c="dimmed" data-figures>
            {formatMilliseconds(executionTimeSeconds * 1000)}
          </Text>
        )}
        {status === 3 && (
          <TextLink to="/approvals" size="xs">
            Review
          </TextLink>
        )}
      </Group>
      {message.callId !== null && (
        <CallApproval conversationId={message.conversationId} callId={message.callId} />
      )}
      {role === 'subagent' ? <Question of={message} /> : <Arguments of={message} />}
      {content !== '' && (
        <Part title={role === 'subagent' ? 'Answer' : 'Result'}>
          {role === 'subagent' ? (
            <Text size="sm" className={styles.words}>
              {content}
            </Text>
          ) : (
            <JsonText text={content} label="Result" />
          )}
        </Part>
      )}
      {failure !== null && (
        <Text size="sm" c="light-dark(var(--mantine-color-red-9), var(--mantine-color-red-3))">
          {failure}
        </Text>
      )}
    </Stack>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed" mb={2}>
        {title}
      </Text>
      {children}
    </div>
  )
}

function Arguments({ of: { arguments: text } }: { readonly of: Message }) {
  if (text === null || text === '' || text === '{}') return null
  return (
    <Part title="Arguments">
      <JsonText text={text} label="Arguments" />
    </Part>
  )
}

function Question({ of: message }: { readonly of: Message }) {
  const question = questionOf(message.arguments)
  if (question === null) return <Arguments of={message} />
  return (
    <Part title="Question">
      <Text size="sm" className={styles.words}>
        {question}
      </Text>
    </Part>
  )
}

function questionOf(text: string | null): string | null {
  try {
    const parsed: unknown = JSON.parse(text ?? '')
    if (typeof parsed !== 'object' || parsed === null || !('question' in parsed)) return null
    return typeof parsed.question === 'string' ? parsed.question : null
  } catch {
    return null
  }
}
