import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useConsole } from '../../../data/console-context'
import type { Call } from '../thread/entry'

export type Decide = (callId: string, decision: 'approve' | 'reject', reason: string) => Promise<void>

interface CallDecisionProps {
  readonly call: Call
  readonly onDecide: Decide
}

export function CallDecision({ call, onDecide }: CallDecisionProps) {
  const { may } = useConsole()
  const [reason, setReason] = useState('')
  const [sent, setSent] = useState<'approve' | 'reject' | null>(null)
  const decide = async (decision: 'approve' | 'reject') => {
    setSent(decision)
    await onDecide(call.callId, decision, reason).catch(() => setSent(null))
  }
  if (!may('approval:decide'))
    return (
      <Text size="xs" c="dimmed">
        Waiting for approval. <Countdown deadline={call.deadline} />
      </Text>
    )
  return (
    <Stack gap={8}>
      <TextInput
        size="xs"
        label="Rejection reason (optional)"
        description="The agent sees it."
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        maxLength={500}
        disabled={sent !== null}
      />
      <Group justify="space-between" gap="xs">
        <Countdown deadline={call.deadline} />
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconX size={14} />}
            onClick={() => void decide('reject')}
            loading={sent === 'reject'}
            disabled={sent === 'approve'}
            aria-label={`Reject ${call.title}`}
          >
            Reject
          </Button>
          <Button
            size="xs"
            leftSection={<IconCheck size={14} />}
            onClick={() => void decide('approve')}
            loading={sent === 'approve'}
            disabled={sent === 'reject'}
            aria-label={`Approve ${call.title}`}
          >
            Approve
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}

/** Remaining time. Not announced every second. */
function Countdown({ deadline }: { readonly deadline: number | null }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  if (deadline === null) return <span />
  const seconds = Math.max(0, Math.ceil((deadline - now) / 1000))
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <Text span size="xs" c="dimmed" role="timer" aria-live="off" data-figures>
      {seconds === 0 ? 'Expired' : `${clock} left`}
    </Text>
  )
}
