import { Alert, Badge, Stack } from '@mantine/core'
import type { PhoneConnection } from '@parley/sdk'

const labels: Readonly<Record<PhoneConnection['state'], { label: string; color: string }>> = {
  ready: { label: 'Ready', color: 'green' },
  failed: { label: 'Failed', color: 'red' },
  unknown: { label: 'Unknown', color: 'gray' },
  off: { label: 'Off', color: 'gray' },
}

/** The words for phone connections that register. */
const registrationLabels: Readonly<Record<string, string>> = {
  ready: 'Registered',
  unknown: 'Not registered',
}

interface PhoneConnectionStateProps {
  readonly connection: Pick<PhoneConnection, 'state' | 'sip'>
}

export function PhoneConnectionState({ connection: { state, sip } }: PhoneConnectionStateProps) {
  const { label, color } = labels[state]
  return (
    <Badge variant="light" color={color} fw={500} flex="none">
      {(sip?.registers && registrationLabels[state]) || label}
    </Badge>
  )
}

const mostShown = 5

/** The failures in full, because rows of a list show only their beginning. */
export function PhoneConnectionFailures({ of }: { readonly of: readonly PhoneConnection[] }) {
  const failed = of.filter(({ state, failure }) => state === 'failed' && failure !== null)
  if (failed.length === 0) return null
  return (
    <Stack gap="xs" mb="sm">
      {failed.slice(0, mostShown).map(({ id, name, failure }) => (
        <Alert key={id} color="red" title={`${name} failed`} style={{ overflowWrap: 'anywhere' }}>
          {failure}
        </Alert>
      ))}
    </Stack>
  )
}
