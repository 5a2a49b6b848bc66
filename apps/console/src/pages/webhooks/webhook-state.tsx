import { Badge } from '@mantine/core'
import type { Webhook } from '@parley/sdk'

interface StateLabel {
  readonly label: string
  /** Green: delivered. Gray: disabled by a user. Orange: failing. Red: disabled by the service. */
  readonly color: 'green' | 'gray' | 'orange' | 'red'
}

function stateLabel({ isEnabled, disabledReason, failingSince }: Webhook): StateLabel {
  if (disabledReason !== null) return { label: 'Auto-disabled', color: 'red' }
  if (!isEnabled) return { label: 'Disabled', color: 'gray' }
  return failingSince === null ? { label: 'Active', color: 'green' } : { label: 'Failing', color: 'orange' }
}

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { label, color } = stateLabel(webhook)
  return (
    <Badge variant="light" color={color} fw={500}>
      {label}
    </Badge>
  )
}
