import { Button } from '@mantine/core'
import type { PhoneCall } from '@parley/sdk'
import { IconPhoneOff } from '@tabler/icons-react'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { Confirm } from '../../parts/confirm'

export function HangUp({ call: { id } }: { readonly call: PhoneCall }) {
  const { parley, may } = useConsole()
  const hangUp = useChange({
    change: async () => parley.phoneCalls.hangUp(id),
    changes: ['PhoneCall'],
    done: 'The call is ending.',
  })
  if (!may('phone:write')) return null
  return (
    <Confirm
      title="Hang up?"
      action="Hang up"
      onConfirm={() => hangUp.mutateAsync(undefined)}
      trigger={(open) => (
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          leftSection={<IconPhoneOff size={16} />}
          onClick={open}
        >
          Hang up
        </Button>
      )}
    >
      The call is cut off. The conversation so far is kept.
    </Confirm>
  )
}
