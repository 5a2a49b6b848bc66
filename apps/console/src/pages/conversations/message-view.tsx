import { Badge, Group, Stack, Text, ThemeIcon, Tooltip } from '@mantine/core'
import type { Message } from '@parley/sdk'
import {
  type Icon,
  IconHandStop,
  IconKeyboard,
  IconMicrophone,
  IconRobot,
  IconTool,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { AgentName } from '../../parts/agent-select'
import { Timestamp } from '../../parts/timestamp'
import { CallView } from './call-view'
import { MessageUsage } from './message-usage'
import styles from './transcript.module.css'

interface MessageViewProps {
  readonly message: Message
  readonly agentId: string | null
}

const signs: Readonly<Record<Message['role'], { readonly icon: Icon; readonly color: string }>> = {
  user: { icon: IconUser, color: 'blue' },
  assistant: { icon: IconRobot, color: 'green' },
  tool: { icon: IconTool, color: 'gray' },
  subagent: { icon: IconUsers, color: 'grape' },
}

export function MessageView({ message, agentId }: MessageViewProps) {
  const { icon: Sign, color } = signs[message.role]
  return (
    <article className={styles.message} aria-label={labelOf(message)}>
      <ThemeIcon variant="light" color={color} radius="xl" size={32} className={styles.sign} aria-hidden>
        <Sign size={18} stroke={1.6} />
      </ThemeIcon>
      <Stack gap={6}>
        <Group gap="xs" fz="xs" c="dimmed">
          <Text span size="sm" fw={600} c="var(--mantine-color-text)" truncate maw="100%">
            {speakerOf(message, agentId)}
          </Text>
          <Channel channel={message.channel} />
          <Timestamp at={message.createdAt} />
          <MessageUsage message={message} />
        </Group>
        {message.role === 'tool' || message.role === 'subagent' ? (
          <CallView message={message} />
        ) : (
          <MessageEntry message={message} />
        )}
      </Stack>
    </article>
  )
}

function speakerOf({ role, name }: Message, agentId: string | null): ReactNode {
  switch (role) {
    case 'user':
      return 'User'
    case 'assistant':
      return <AgentName agentId={agentId} />
    case 'tool':
      return name ?? 'Tool'
    case 'subagent':
      return name ?? 'Sub-agent'
  }
}

function labelOf({ role, name }: Message): string {
  if (role === 'user') return 'User'
  if (role === 'assistant') return 'Agent'
  return role === 'tool' ? `Tool call ${name ?? ''}` : `Sub-agent ${name ?? ''}`
}

function Channel({ channel }: { readonly channel: Message['channel'] }) {
  const [Sign, label] =
    channel === 'realtime' ? ([IconMicrophone, 'Voice session'] as const) : ([IconKeyboard, 'Text'] as const)
  return (
    <Tooltip label={label}>
      <Sign size={14} role="img" aria-label={label} />
    </Tooltip>
  )
}

/** The text of a message. For an interrupted one, the part that was heard. */
function MessageEntry({ message: { content, interrupted, failure } }: { readonly message: Message }) {
  return (
    <>
      {content !== '' && (
        <Text size="sm" className={styles.words}>
          {content}
          {interrupted && ' …'}
        </Text>
      )}
      {interrupted && (
        <div>
          <Badge variant="light" color="orange" leftSection={<IconHandStop size={12} />} fw={500}>
            {content === '' ? 'Interrupted before playback' : 'Interrupted, heard up to here'}
          </Badge>
        </div>
      )}
      {failure !== null && (
        <Text size="sm" c="light-dark(var(--mantine-color-red-9), var(--mantine-color-red-3))">
          {failure}
        </Text>
      )}
    </>
  )
}
