import { Button } from '@mantine/core'
import type { McpGrant } from '@parley/sdk'
import { useChange } from '../../data/use-change'
import { Confirm } from '../../parts/confirm'

interface RevokeGrantProps {
  readonly grant: McpGrant
  readonly revoke: () => Promise<void>
}

export function RevokeGrant({ grant: { clientName }, revoke }: RevokeGrantProps) {
  const end = useChange({ change: revoke, changes: ['McpGrant'], done: `Access of ${clientName} revoked.` })
  return (
    <Confirm
      title={`Revoke access of ${clientName}?`}
      action="Revoke access"
      onConfirm={() => end.mutateAsync(undefined)}
      trigger={(open) => (
        <Button size="xs" variant="default" onClick={open} aria-label={`Revoke access of ${clientName}`}>
          Revoke
        </Button>
      )}
    >
      The client loses access immediately. A member can authorize it again.
    </Confirm>
  )
}
