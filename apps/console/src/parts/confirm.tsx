import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useCover } from './covered'

interface ConfirmProps {
  readonly title: string
  /** The consequences of the action. */
  readonly children: ReactNode
  readonly action: string
  readonly onConfirm: () => Promise<unknown>
  /** The button that opens the dialog. */
  readonly trigger: (open: () => void) => ReactNode
}

/** Asks for confirmation before an irreversible action. */
export function Confirm({ title, children, action, onConfirm, trigger }: ConfirmProps) {
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  useCover(isOpen)
  const confirm = async () => {
    setBusy(true)
    // An error is shown as a notice. Asking again would not help.
    await onConfirm().catch(() => undefined)
    setOpen(false)
    setBusy(false)
  }
  return (
    <>
      {trigger(() => setOpen(true))}
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={title}>
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          <Group justify="end">
            <Button variant="default" onClick={() => setOpen(false)} data-autofocus>
              Cancel
            </Button>
            <Button color="red" loading={isBusy} onClick={() => void confirm()}>
              {action}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
