import { Button } from '@mantine/core'
import type { RealtimeSession } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { Confirm } from '../../parts/confirm'

export function EndSession({ session: { id } }: { readonly session: RealtimeSession }) {
  const { parley, may } = useConsole()
  const end = useChange({
    change: async () => parley.realtimeSessions.end(id),
    changes: ['RealtimeSession'],
    done: 'The session is ending.',
  })
  if (!may('conversation:write')) return null
  return (
    <Confirm
      title="End session?"
      action="End session"
      onConfirm={() => end.mutateAsync(undefined)}
      trigger={(open) => (
        <Button size="xs" variant="default" onClick={open} aria-label="End session">
          End
        </Button>
      )}
    >
      The call is cut off. The conversation so far is kept.
    </Confirm>
  )
}
