import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPhoneOff } from '@tabler/icons-react'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { Confirm } from '../../parts/confirm'

/** The emergency stop. */
export function StopAllCalls() {
  const { parley, may } = useConsole()
  const stop = useChange({
    change: async () => parley.phoneCalls.stop(),
    changes: ['PhoneCall', 'PhoneConnection'],
    onDone: ({ calls, phoneConnections }) =>
      notifications.show({
        message: `Calls ended: ${calls}. Phone connections disabled: ${phoneConnections}.`,
        color: 'green',
      }),
  })
  if (!may('phone:write')) return null
  return (
    <Confirm
      title="Stop all calls?"
      action="Stop all calls"
      onConfirm={() => stop.mutateAsync(undefined)}
      trigger={(open) => (
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          leftSection={<IconPhoneOff size={16} />}
          onClick={open}
        >
          Stop all calls
        </Button>
      )}
    >
      All calls of the organization end, and all phone connections are disabled. No call starts until you
      enable them again under Phone numbers.
    </Confirm>
  )
}
