import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconShieldCheck } from '@tabler/icons-react'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'

/** Lets the service walk the whole chain. */
export function Verification() {
  const { parley } = useConsole()
  const verify = useChange({
    change: async () => parley.auditLog.verify(),
    changes: [],
    onDone: ({ valid, detail, checkedCount }) =>
      notifications.show({
        color: valid ? 'green' : 'red',
        title: valid ? `The chain is whole: ${checkedCount} records` : 'The chain is broken',
        message: detail,
        autoClose: valid ? 6000 : false,
      }),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconShieldCheck size={16} />}
      loading={verify.isPending}
      onClick={() => verify.mutate(undefined)}
    >
      Verify
    </Button>
  )
}
