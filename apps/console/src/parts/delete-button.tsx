import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Confirm } from './confirm'

interface DeleteButtonProps {
  /** What it says, and what confirms. */
  readonly action: string
  /** The question that is asked first. */
  readonly question: string
  readonly onDelete: () => Promise<unknown>
  /** What will be gone, in words. */
  readonly children: ReactNode
}

/** Deletes what a drawer is about. */
export function DeleteButton({ action, question, onDelete, children }: DeleteButtonProps) {
  return (
    <Confirm
      title={question}
      action={action}
      onConfirm={onDelete}
      trigger={(open) => (
        <Button
          variant="subtle"
          color="red"
          leftSection={<IconTrash size={16} />}
          onClick={open}
          w="fit-content"
        >
          {action}
        </Button>
      )}
    >
      {children}
    </Confirm>
  )
}
