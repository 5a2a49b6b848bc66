import { Anchor, Badge, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { IconRobot, IconTool } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { CallApproval } from '../../../parts/call-approval'
import type { Call, CallStatus } from '../thread/entry'
import { CallDecision, type Decide } from './call-decision'
import { isEmptyJson, prettyJson } from './pretty-json'
import styles from './transcript.module.css'

const statusLabels: Readonly<
  Record<CallStatus, { readonly label: string; readonly color: string; readonly ink?: string }>
> = {
  running: { label: 'Running', color: 'blue' },
  waiting: {
    label: 'Waiting for approval',
    color: 'orange',
    ink: 'light-dark(#7a2e00, var(--mantine-color-orange-2))',
  },
  done: { label: 'Done', color: 'green' },
  failed: { label: 'Failed', color: 'red' },
  unknown: { label: 'Outcome unknown', color: 'gray' },
}

interface CallCardProps {
  readonly call: Call
  readonly conversationId: string | null
  readonly onDecide: Decide
}

/** A tool call or agent question: arguments, result and duration. */
export const CallCard = memo(function CallCard({ call, conversationId, onDecide }: CallCardProps) {
  const { title, name, status, argumentsText, result, seconds, agentId, by, button } = call
  const { label, color, ink } = statusLabels[status]
  const Sign = agentId === null ? IconTool : IconRobot
  return (
    <article
      className={styles.card}
      data-status={status}
      aria-label={`${agentId === null ? 'Tool' : 'Agent'} ${title}`}
    >
      <Stack gap={6}>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Group gap={8} wrap="nowrap" miw={0}>
            <Sign size={16} aria-hidden style={{ flexShrink: 0 }} />
            <Text size="sm" fw={600} truncate title={name}>
              {title}
            </Text>
            {by !== null && (
              <Text size="xs" c="dimmed" truncate>
                for {by}
              </Text>
            )}
          </Group>
          <Group gap={8} wrap="nowrap">
            {seconds !== null && seconds > 0 && (
              <Text size="xs" c="dimmed" data-figures>
                {formatDuration(seconds * 1000)}
              </Text>
            )}
            {status === 'running' && <Loader size={12} aria-hidden />}
            <Badge variant="light" color={color} {...(ink !== undefined && { c: ink })} role="status">
              {label}
            </Badge>
          </Group>
        </Group>
        {conversationId !== null && status !== 'waiting' && status !== 'running' && (
          <CallApproval conversationId={conversationId} callId={call.callId} />
        )}
        {!isEmptyJson(argumentsText) && (
          <CallText label={agentId === null ? 'Arguments' : 'Question'} text={argumentsOf(call)} />
        )}
        {result !== null && (
          <CallText label={agentId === null ? 'Result' : 'Answer'} text={prettyJson(result)} />
        )}
        {button !== null && /^https?:/.test(button.link) && (
          <Anchor href={button.link} target="_blank" rel="noreferrer" size="sm">
            {button.label}
          </Anchor>
        )}
        {status === 'waiting' && <CallDecision call={call} onDecide={onDecide} />}
      </Stack>
    </article>
  )
})

/** The collapsed length of a long text. */
const foldedLines = 6
const foldedLength = 420

function CallText({ label, text }: { readonly label: string; readonly text: string }) {
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > foldedLength || text.split('\n').length > foldedLines
  return (
    <div>
      <Text size="xs" c="dimmed" mb={2}>
        {label}
      </Text>
      <pre className={styles.text} data-folded={(isLong && !isOpen) || undefined}>
        {text}
      </pre>
      {isLong && (
        <Button
          size="compact-xs"
          variant="subtle"
          mt={2}
          onClick={() => setOpen(!isOpen)}
          aria-expanded={isOpen}
        >
          {isOpen ? 'Show less' : 'Show all'}
        </Button>
      )}
    </div>
  )
}

/** A question to another agent is plain text. */
function argumentsOf({ agentId, argumentsText }: Call): string {
  if (agentId === null) return prettyJson(argumentsText)
  try {
    const given: unknown = JSON.parse(argumentsText)
    if (
      typeof given === 'object' &&
      given !== null &&
      'question' in given &&
      typeof given.question === 'string'
    )
      return given.question
  } catch {
    return argumentsText
  }
  return prettyJson(argumentsText)
}

export function formatDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}
