import { Badge } from '@mantine/core'
import type { Webhook } from '@parley/sdk'

interface StateWords {
  readonly words: string
  /** Green: delivered. Gray: disabled by a user. Orange: failing. Red: disabled by the service. */
  readonly color: 'green' | 'gray' | 'orange' | 'red'
}

function stateWords({ isEnabled, disabledReason, failingSince }: Webhook): StateWords {
  if (disabledReason !== null) return { words: 'Auto-disabled', color: 'red' }
  if (!isEnabled) return { words: 'Disabled', color: 'gray' }
  return failingSince === null ? { words: 'Active', color: 'green' } : { words: 'Failing', color: 'orange' }
}

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { words, color } = stateWords(webhook)
  return (
    <Badge variant="light" color={color} fw={500}>
      {words}
    </Badge>
  )
}
