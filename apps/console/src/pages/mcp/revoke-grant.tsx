import { Button } from '@mantine/core'
import type { McpGrant } from '@parley/sdk'
import { useChange } from '../../data/use-change'
import { Confirm } from '../../parts/confirm'

interface RevokeGrantProps {
  readonly grant: McpGrant
  readonly revoke: () => Promise<void>
}

/** Revokes an MCP client's access. */
export function RevokeGrant({ grant: { clientName }, revoke }: RevokeGrantProps) {
  const end = useChange({ change: revoke, changes: ['McpGrant'], done: `${clientName} is signed out.` })
  return (
    <Confirm
      title={`Sign ${clientName} out?`}
      action="Sign out"
      onConfirm={() => end.mutateAsync(undefined)}
      trigger={(open) => (
        <Button size="xs" variant="default" onClick={open} aria-label={`Sign ${clientName} out`}>
          Sign out
        </Button>
      )}
    >
      It is refused from the next call on, until somebody allows it again.
    </Confirm>
  )
}
