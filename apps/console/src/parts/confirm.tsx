import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useCover } from './covered'

interface ConfirmProps {
  readonly title: string
  /** What will be gone, in words. */
  readonly children: ReactNode
  readonly action: string
  readonly onConfirm: () => Promise<unknown>
  /** What opens the question. */
  readonly trigger: (open: () => void) => ReactNode
}

/** Asks before something is done that cannot be undone. */
export function Confirm({ title, children, action, onConfirm, trigger }: ConfirmProps) {
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  useCover(isOpen)
  const confirm = async () => {
    setBusy(true)
    // A refusal is told by a notice, and asking again does not change it.
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
