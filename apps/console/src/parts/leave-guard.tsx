import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useCover } from './covered'

/** Asks before unsaved input is lost by a link, the back button or closing the window. */
export function LeaveGuard({ isDirty }: { readonly isDirty: boolean }) {
  const { proceed, reset, status } = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return <LeaveQuestion isOpen={status === 'blocked'} onLeave={() => proceed?.()} onStay={() => reset?.()} />
}

interface LeaveQuestionProps {
  readonly isOpen: boolean
  readonly onLeave: () => void
  readonly onStay: () => void
}

export function LeaveQuestion({ isOpen, onLeave, onStay }: LeaveQuestionProps) {
  useCover(isOpen)
  return (
    <Modal opened={isOpen} onClose={onStay} title="Leave without saving?">
      <Text size="sm">Your changes have not been saved.</Text>
      <Group justify="end" mt="md">
        <Button variant="default" onClick={onLeave}>
          Leave
        </Button>
        <Button onClick={onStay} data-autofocus>
          Keep editing
        </Button>
      </Group>
    </Modal>
  )
}
