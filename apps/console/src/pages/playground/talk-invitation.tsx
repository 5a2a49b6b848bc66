import type { Agent } from '@parley/sdk'
import { IconMessageCircle } from '@tabler/icons-react'
import { EmptyState } from '../../parts/empty-state'

/** Shown in an empty conversation. */
export function TalkInvitation({ agent }: { readonly agent: Agent }) {
  return (
    <EmptyState icon={IconMessageCircle} title={`Talk to ${agent.name}`}>
      {agent.description ?? 'Start a conversation.'} Use the microphone or type a message.
    </EmptyState>
  )
}
